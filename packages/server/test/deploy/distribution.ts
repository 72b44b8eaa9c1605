// `node packages/server/test/deploy/distribution.ts`: what stands between this schema and a PostgreSQL that is spread over many machines by
// merchant, such as Citus: there the merchant has to be a column of each spread table and of each of its keys. Read from schema.sql.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `ready`: in the columns and in every key. `keys`: a column, but some key lacks it. `order`: known by its order alone. */
export type Reach = 'ready' | 'keys' | 'order' | 'none'

export interface TableReach {
  table: string
  reach: Reach
  /** Keys that lack the merchant. */
  keys: string[]
}

const merchant = /^(merchant_no|merchant_id)$/
const order = /^(order_no|order_ref|pay_leg_id|event_id|delivery_id)$/

export function reachOf(schema: string): TableReach[] {
  return [...schema.matchAll(/^create table (\w+) \((.*?)^\)(.*?)(?=^create table|(?![\s\S]))/gms)].map(
    ([, table = '', body = '', after = '']) => {
      const columns = [...body.matchAll(/^ {2}"?(\w+)"? /gm)].flatMap(([, name = '']) =>
        name === 'constraint' ? [] : [name],
      )
      const constraints = [...body.matchAll(/^ {2}constraint (\w+) (?:PRIMARY KEY|UNIQUE) \((.*)\)/gm)]
      const indexes = [...after.matchAll(/^CREATE UNIQUE INDEX (\w+) ON \w+ USING \w+ \((.*?)\)(?: WHERE.*)?;$/gm)]
      const keys = [...constraints, ...indexes].flatMap(([, name = '', of = '']) =>
        of.split(', ').some((column) => merchant.test(column)) ? [] : [name],
      )
      const hasMerchant = columns.some((column) => merchant.test(column))
      const reach = hasMerchant
        ? keys.length === 0
          ? 'ready'
          : 'keys'
        : columns.some((column) => order.test(column))
          ? 'order'
          : 'none'
      return { table, reach, keys }
    },
  )
}

export const readSchema = (): string => readFileSync(join(import.meta.dirname, '../../schema.sql'), 'utf8')

const says: Readonly<Record<Reach, string>> = {
  ready: 'could be spread by merchant as they are',
  keys: 'have the merchant in a column, and not in these keys',
  order: 'are known by their order, and would need the merchant beside it',
  none: 'know no merchant: small ones are copied to every machine, queues and chains stay on one',
}

if (process.argv[1] === import.meta.filename) {
  const all = reachOf(readSchema())
  for (const [reach, what] of Object.entries(says)) {
    const some = all.filter((table) => table.reach === reach)
    process.stdout.write(`${some.length} of ${all.length} tables ${what}:\n`)
    for (const { table, keys } of some)
      process.stdout.write(`  ${table}${keys.length > 0 && reach === 'keys' ? ` (${keys.join(', ')})` : ''}\n`)
  }
}
