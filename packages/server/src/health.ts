// Owns /healthz (this process answers) and /readyz (it can do its work: database, migrations, its own jobs).
import type { App } from '@florin/platform/http/server'
import { Type } from 'typebox'

const Health = Type.Object({ status: Type.String() }, { additionalProperties: false })
const Readiness = Type.Object(
  {
    status: Type.String(),
    checks: Type.Record(Type.String(), Type.String()),
    notes: Type.Array(Type.String(), { description: 'What an operator should look at though the service works' }),
  },
  { additionalProperties: false },
)

/** Answers null when fine, else a sentence. */
type ReadinessCheck = () => Promise<string | null> | string | null

export interface ReadinessParts {
  checks: Readonly<Record<string, ReadinessCheck>>
  /** Sentences that do not make the process unready. */
  notes(): readonly string[]
}

export function healthRoutes(
  app: App,
  deps: { databaseTrouble(): Promise<string | null> },
  { checks, notes }: ReadinessParts,
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
      const results: Record<string, string> = {
        database: (await deps.databaseTrouble()) ?? 'ok',
      }
      for (const [name, check] of Object.entries(checks)) {
        results[name] =
          (await Promise.resolve()
            .then(check)
            .catch(() => 'the check itself failed')) ?? 'ok'
      }
      const ready = Object.values(results).every((result) => result === 'ok')
      return reply
        .code(ready ? 200 : 503)
        .send({ status: ready ? 'ready' : 'not ready', checks: results, notes: [...notes()] })
    },
  )
}
