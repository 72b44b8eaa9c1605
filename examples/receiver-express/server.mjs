// A webhook receiver on Express.
import { verifyWebhook, WebhookVerificationError } from '@florin/sdk'
import express from 'express'
import { take } from './shop.mjs'

const secret = process.env.FLORIN_WEBHOOK_SECRET ?? ''
const app = express()

// express.raw for this route, before any app.use(express.json()): the signature covers the raw bytes.
app.post('/webhooks/florin', express.raw({ type: 'application/json' }), (request, response) => {
  const event = verifyWebhook({ rawBody: request.body, headers: request.headers, secret })

  // Note the event and answer at once; the slow work (mails, shipping) comes after, from what was noted.
  response.status(200).send(take(event))
})

app.use((error, _request, response, next) => {
  if (!(error instanceof WebhookVerificationError)) return next(error)
  console.error(`Refused a webhook (${error.reason}): ${error.message}`)
  response.sendStatus(400)
})

const server = app.listen(Number(process.env.PORT ?? 4000), () =>
  console.log(`listening on port ${server.address().port}`),
)
