// `npm run erase -- --order ORD | --email EMAIL | --before DATE [--with-invoices] [--with-texts]`: erases what is known of
// payers. The command runs beside a running Florin, and is run again when it was killed.
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Clock, databaseClock } from '@florin/platform/clock'
import { runCommand } from '@florin/platform/command'
import { type Sql, withoutLimits } from '@florin/platform/db/pool'
import { OperatorError } from '@florin/platform/errors'
import { readConfig } from '../../config.ts'
import { withOwnDatabase } from '../../embedded.ts'
import { listOldPayers, listOrdersOf } from '../../orders/erase.store.ts'
import { orderNoPattern } from '../../orders/schema.ts'
import { eraseOldInvoices, erasePayers } from './erase.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const usage = 'npm run erase -- --order ORD_… | --email EMAIL | --before 2026-01-31 [--with-invoices] [--with-texts]'

interface Asked {
  order?: string | undefined
  email?: string | undefined
  before?: string | undefined
  'with-invoices'?: boolean | undefined
  'with-texts'?: boolean | undefined
}

function readDay(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) {
    throw new OperatorError(`--before is "${text}"; it takes a day such as 2026-01-31, which begins at midnight UTC.`)
  }
  return day
}

function readOrderNo(text: string): string {
  if (orderNoPattern.test(text)) return text
  throw new OperatorError(`--order is "${text}"; it takes an order number such as ord_01j9….`)
}

async function erase(sql: Sql, clock: Clock, asked: Asked): Promise<void> {
  const withTexts = asked['with-texts'] ?? false
  const reach = { withInvoices: asked['with-invoices'] ?? false, withTexts }
  let count = 0
  const take = async (orders: readonly string[]): Promise<void> => {
    count += await erasePayers(sql, clock, { ...reach, orders })
  }
  if (asked.order !== undefined) await take([readOrderNo(asked.order)])
  else if (asked.email !== undefined) await take(await listOrdersOf(sql, asked.email, { withTexts }))
  else {
    const before = readDay(asked.before ?? '')
    if (before > clock.now())
      throw new OperatorError('--before takes a day that has begun: what is still to come has no payers yet.')
    for (let after = ''; ; ) {
      const numbers = await listOldPayers(sql, { after, before, limit: 500, withTexts })
      await take(numbers)
      const last = numbers.at(-1)
      if (last === undefined) break
      after = last
    }
  }
  if (reach.withInvoices && asked.order === undefined) {
    const which = asked.email === undefined ? { before: readDay(asked.before ?? '') } : { email: asked.email }
    say(`Payers of ${await eraseOldInvoices(sql, clock, which)} invoices without such an order were erased.`)
  }
  say(`Payers of ${count} orders were erased.`)
  say('Backups that were made before still hold them.')
}

/** The options, or an error with the usage. */
const parsed = <const T extends ParseArgsConfig>(how: T): ReturnType<typeof parseArgs<T>> => {
  try {
    return parseArgs(how)
  } catch (cause) {
    throw new OperatorError(`${cause instanceof Error ? cause.message : cause} Usage:\n${usage}`, { cause })
  }
}

async function main(): Promise<void> {
  const { values } = parsed({
    options: {
      ...{ order: { type: 'string' }, email: { type: 'string' }, before: { type: 'string' } },
      ...{ 'with-invoices': { type: 'boolean' }, 'with-texts': { type: 'boolean' } },
    },
  })
  const named = [values.order, values.email, values.before].filter((value) => value !== undefined)
  if (named.length !== 1) throw new OperatorError(`Usage:\n${usage}`)
  const how = { applicationName: 'florin erase', limits: withoutLimits, besideRunning: true, say }
  await withOwnDatabase(readConfig(), how, async (sql) => erase(sql, await databaseClock(sql), values))
}

runCommand(main)
