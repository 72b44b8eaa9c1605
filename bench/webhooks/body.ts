// The body that every side sends: a webhook of a paid order, as the documentation shows one, with hashes and addresses that
// compress no better than real ones. Every side keeps it as it is.
import { randomBytes } from 'node:crypto'
import { componentExamples } from '../../packages/server/src/openapi/examples.ts'

export const body = JSON.stringify(componentExamples.WebhookEvent).replace(
  /0x[0-9a-fA-F]{10,}/g,
  (hex) => `0x${randomBytes(hex.length).toString('hex').slice(2, hex.length)}`,
)
