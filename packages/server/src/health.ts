// Owns /healthz (this process answers) and /readyz (it can do its work: database, migrations, its own jobs).
import { type Check, fault, isOk, ok } from '@florin/platform/check'
import { CheckView, viewChecks } from '@florin/platform/http/check'
import type { App } from '@florin/platform/http/server'
import { Type } from 'typebox'

const Health = Type.Object({ status: Type.String() }, { additionalProperties: false })
const Readiness = Type.Object(
  { status: Type.Enum(['ready', 'not ready']), checks: Type.Array(CheckView) },
  { additionalProperties: false },
)

export interface ReadinessParts {
  /** The process is ready while all of these are ok. */
  required(): readonly Check[]
  /** What else operators should look at. */
  others(): readonly Check[]
}

export function healthRoutes(
  app: App,
  deps: { databaseTrouble(): Promise<string | null> },
  { required, others }: ReadinessParts,
): void {
  app.get(
    '/healthz',
    { schema: { tags: ['operation'], summary: 'The process answers', response: { 200: Health } } },
    async () => ({
      status: 'ok',
    }),
  )
  app.get(
    '/readyz',
    {
      schema: {
        tags: ['operation'],
        summary: 'The service can do its work',
        response: { 200: Readiness, 503: Readiness },
      },
    },
    async (_request, reply) => {
      const trouble = await deps.databaseTrouble()
      const database =
        trouble === null
          ? ok('database', 'The database takes writes.')
          : fault('database', trouble, 'docs/operations.md#florindatabasetrouble')
      const counted = [database, ...required()]
      const isReady = counted.every(isOk)
      return reply
        .code(isReady ? 200 : 503)
        .send({ status: isReady ? 'ready' : 'not ready', checks: viewChecks([...counted, ...others()]) })
    },
  )
}
