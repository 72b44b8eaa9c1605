// A webhook receiver on Node's own http server.
import { createServer } from 'node:http'
import { verifyWebhook, WebhookVerificationError } from '@florin/sdk'
import { take } from './shop.mjs'

const secret = process.env.FLORIN_WEBHOOK_SECRET ?? ''
const BODY_MAX_BYTES = 1_000_000

/** The bytes as they arrive. The signature covers these very bytes, so nothing is parsed before they are verified. */
async function readBody(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > BODY_MAX_BYTES) throw new RangeError('The body is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const server = createServer(async (request, response) => {
  if (request.method !== 'POST' || request.url !== '/webhooks/florin') return response.writeHead(404).end()
  try {
    const event = verifyWebhook({ rawBody: await readBody(request), headers: request.headers, secret })

    // Note the event and answer at once; the slow work (mails, shipping) comes after, from what was noted.
    response.writeHead(200).end(take(event))
  } catch (error) {
    const refused = error instanceof WebhookVerificationError
    console.error(refused ? `Refused a webhook (${error.reason}): ${error.message}` : error)
    // With anything but a 2xx Florin sends the event again later.
    response.writeHead(refused ? 400 : 500).end()
  }
})

server.listen(Number(process.env.PORT ?? 4000), () => console.log(`listening on port ${server.address().port}`))
