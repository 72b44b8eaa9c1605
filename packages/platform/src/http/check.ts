// Checks as they cross the wire.
import { Type } from 'typebox'
import type { Check } from '../check.ts'

const closed = { additionalProperties: false }
const text = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const CheckView = Type.Object(
  {
    id: Type.String({ description: 'The kind of check. Stable.' }),
    subject: text('The one of several that was checked, such as a chain or a key.'),
    status: Type.Enum(['ok', 'warning', 'fault'], {
      description: '`fault`: something does not work, or soon will not. `warning`: a person should look.',
    }),
    summary: Type.String({ description: 'The result, in one sentence for operators.' }),
    remedy: text('The next step for an operator; null where the status is `ok`.'),
    since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the trouble began; null where that is not known.',
    }),
  },
  { ...closed, title: 'Check' },
)

export const viewChecks = (checks: readonly Check[]) =>
  checks.map(({ id, subject, status, summary, remedy, since }) => ({
    ...{ id, subject, status, summary, remedy },
    since: since?.toISOString() ?? null,
  }))
