// A webhook receiver as a route handler of Next.js, at /webhooks/florin. It uses nothing but web standards, so it fits any
// framework that hands over a Request.
import { verifyWebhook, WebhookVerificationError } from '@florin/sdk'
import { take } from '../../../shop.mjs'

/** The check needs node:crypto. */
export const runtime = 'nodejs'

export async function POST(request) {
  try {
    // arrayBuffer, neither json() nor text(): the signature covers the raw bytes.
    const rawBody = await request.arrayBuffer()
    const event = verifyWebhook({ rawBody, headers: request.headers, secret: process.env.FLORIN_WEBHOOK_SECRET ?? '' })

    // Note the event and answer at once; the slow work (mails, shipping) comes after, from what was noted.
    return new Response(take(event))
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    console.error(`Refused a webhook (${error.reason}): ${error.message}`)
    return new Response(null, { status: 400 })
  }
}
