// Planted bugs of what merchants' programs go by: who a webhook is believed from, what a list is filtered by, what is promised of limits.
import { type Mutant, plant } from '../plant.ts'

const orders = 'packages/server/src/orders'
const handlers = ['packages/sdk/test/handlers.test.ts']
const http = 'packages/platform/src/http'
const endpoints = 'packages/server/src/webhooks/endpoints'
const mails = `${orders}/tell/order-mails.test.ts`

export const apiMutants: readonly Mutant[] = [
  ...plant({ file: `${orders}/view.ts`, tests: ['packages/server/src/checkout/checkout.test.ts'] }, [
    {
      name: 'api: the link of a paid order asks for the whole again',
      find: 'if (!isToPay || remaining === 0n) return null',
      put: 'if (canceled) return null',
      breaks: 'A page that shows the link or its QR code after the payment has the payer pay twice.',
    },
  ]),
  ...plant({ file: 'packages/sdk/src/answer-webhook.ts', tests: handlers }, [
    {
      name: 'api: a webhook that is refused is answered as taken',
      find: 'return { status: 400, text: error.reason }',
      put: 'return { status: 200, text: error.reason }',
      breaks: 'Florin takes an event for delivered that the shop never took.',
    },
    {
      name: 'api: what the shop throws is swallowed',
      find: 'await on(event as Event)',
      put: 'void Promise.resolve(event as Event).then(on).catch(() => undefined)',
      breaks: 'An event is answered as taken while the shop’s database is away, and never comes again.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/protocol/src/signature-web.ts', tests: handlers }, [
    {
      name: 'api: on the web any signature fits',
      find: "if (secretIndex === -1) return refuse('mismatch')",
      put: 'secretIndex = Math.max(secretIndex, 0)',
      breaks: 'A shop on Workers ships for a webhook that anybody wrote.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${http}/server.ts`, tests: [`${http}/server.test.ts`] }, [
    {
      name: 'api: who is refused is not counted',
      find: "    app.addHook('onRequest', limit)",
      put: "    app.addHook('preValidation', limit)",
      breaks: 'A flood of wrong keys asks the database as often as it likes.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${endpoints}/change.ts`, tests: [`${endpoints}/endpoints.test.ts`] }, [
    {
      name: 'api: a repeated request shows the secret that came later',
      find: 'const sealed = await findFirstWebhookSecret(tx, { endpointId: made.endpoint.id })',
      put: 'const [sealed = null] = await liveWebhookSecrets(tx, { endpointId: made.endpoint.id }, now)',
      breaks:
        'Who reads an Idempotency-Key in a log and has a key signs what the shop believes, after the rotation too.',
    },
  ]),
  ...plant({ file: `${endpoints}/store.ts`, tests: [`${endpoints}/endpoints.test.ts`] }, [
    {
      name: 'api: a late retry brings a deleted endpoint back',
      find: 'where once_key = ${a.key} and merchant_id',
      put: 'where deleted_at is null and once_key = ${a.key} and merchant_id',
      breaks: 'Orders are sent to a receiver that its owner took away.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/platform/src/email.ts', tests: [mails] }, [
    {
      name: 'payer mails: each +address of a mailbox is counted by itself',
      find: "email.toLowerCase().replace(/^([^+@]+)\\+[^@]*@/, '$1@')",
      put: 'email.toLowerCase()',
      breaks: 'A stranger’s mailbox gets as many mails as somebody thinks up addresses.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/server/src/keys/guard.ts', tests: ['packages/server/src/keys/guard.test.ts'] }, [
    {
      name: 'api: the refusal of a key repeats what was sent',
      find: "if (headers['x-api-key'] !== undefined) return UNKNOWN",
      put: "if (headers['x-api-key'] !== undefined) return `${UNKNOWN} (${String(headers['x-api-key'])})`",
      breaks: 'A secret that was sent the wrong way stands in answers and logs.',
      unseen: true,
    },
    {
      name: 'api: a key without Bearer is told to be unknown',
      find: 'return /^Bearer +\\S+$/i.test(authorization) ? UNKNOWN : `Authorization was sent',
      put: "return UNKNOWN === '' ? UNKNOWN : `Authorization was sent",
      breaks: 'Who sent a revoked key as Bearer is told to mend the header.',
    },
  ]),
]
