// A webhook receiver on Hono. The same app runs wherever Hono does, as long as the platform offers node:crypto.
import { verifyWebhook, WebhookVerificationError } from '@florin/sdk'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { take } from './shop.mjs'

const secret = process.env.FLORIN_WEBHOOK_SECRET ?? ''
const app = new Hono()

app.post('/webhooks/florin', async (context) => {
  // arrayBuffer, neither json() nor text(): the signature covers the raw bytes.
  const rawBody = await context.req.arrayBuffer()
  const event = verifyWebhook({ rawBody, headers: context.req.raw.headers, secret })

  // Note the event and answer at once; the slow work (mails, shipping) comes after, from what was noted.
  return context.text(take(event))
})

app.onError((error, context) => {
  if (!(error instanceof WebhookVerificationError)) throw error
  console.error(`Refused a webhook (${error.reason}): ${error.message}`)
  return context.body(null, 400)
})

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 4000) }, ({ port }) =>
  console.log(`listening on port ${port}`),
)
