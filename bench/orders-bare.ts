// The baseline: Fastify and pg with nothing of ours. /v1 runs the recorded SQL and sends the recorded
// bytes; /select and /insert touch a single row.
import { randomBytes } from 'node:crypto'
import fastify from 'fastify'
import pg from 'pg'
import type { Plan } from './orders-shop.ts'

const plan = JSON.parse(process.env.BENCH_PLAN ?? '', (_key, value: unknown) =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
    ? Buffer.from(value as never)
    : value,
) as Plan
const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE, max: 12, options: '-c search_path=florin' })
await pool.query('create table if not exists bench_rows (id text collate "C" primary key, body text not null)')
const app = fastify()
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function freshText(prefix: string): string {
  let text = prefix
  for (const byte of randomBytes(26)) text += alphabet.charAt(byte % 32)
  return text
}

const names = new Map<string, string>()

/** Prepared by name, as a hand-written service would do it. */
function run({ text }: { text: string }, values: unknown[]): Promise<unknown> {
  const name = names.get(text) ?? `s${names.size}`
  names.set(text, name)
  return pool.query({ name, text, values })
}

app.get<{ Params: { no: string } }>('/v1/orders/:no', async (request, reply) => {
  for (const statement of plan.get) {
    await run(
      statement,
      statement.values.map((value) => (value === plan.orderNo ? request.params.no : value)),
    )
  }
  return reply.type('application/json; charset=utf-8').send(plan.getBody)
})

app.post('/v1/orders', async (_request, reply) => {
  const fresh = new Map(plan.fresh.map(({ value, prefix }) => [value, freshText(prefix)]))
  for (const statement of plan.post) {
    await run(
      statement,
      statement.values.map((value) => fresh.get(value as string) ?? value),
    )
  }
  return reply.code(201).type('application/json; charset=utf-8').send(plan.postBody)
})

app.get<{ Params: { no: string } }>('/select/:no', async (request, reply) => {
  await run({ text: 'select * from orders where order_no = $1' }, [request.params.no])
  return reply.type('application/json; charset=utf-8').send(plan.getBody)
})

app.post('/insert', async (_request, reply) => {
  await run({ text: 'insert into bench_rows (id, body) values ($1, $2)' }, [freshText('row_'), plan.postBody])
  return reply.code(201).type('application/json; charset=utf-8').send(plan.postBody)
})

const origin = await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ origin })
process.once(
  'SIGTERM',
  () =>
    void app
      .close()
      .then(() => pool.end())
      .then(() => process.exit(0)),
)
