// A webhook receiver on Fastify.
import { verifyWebhook, WebhookVerificationError } from '@florin/sdk'
import fastify from 'fastify'
import { take } from './shop.mjs'

const secret = process.env.FLORIN_WEBHOOK_SECRET ?? ''
const app = fastify()

// A plugin of its own, so that only these routes get the raw bytes and the rest of the shop keeps its JSON parser.
await app.register(async (webhooks) => {
  webhooks.removeContentTypeParser('application/json')
  webhooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request, body) => body)

  webhooks.post('/webhooks/florin', async (request) => {
    const event = verifyWebhook({ rawBody: request.body, headers: request.headers, secret })

    // Note the event and answer at once; the slow work (mails, shipping) comes after, from what was noted.
    return take(event)
  })

  webhooks.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof WebhookVerificationError)) throw error
    console.error(`Refused a webhook (${error.reason}): ${error.message}`)
    return reply.code(400).send()
  })
})

await app.listen({ port: Number(process.env.PORT ?? 4000) })
console.log(`listening on port ${app.server.address().port}`)
