// `npm run wallet -- ACCOUNT`: who has an account of a wallet, and the accounts of the same wallet. ACCOUNT is an id (`acct_…`) or the
// text of the account. `-- ACCOUNT --to EMAIL` gives them to that merchant, who sets the account then. It runs beside Florin.
import { parseArgs } from 'node:util'
import { firstAddresses, openAccount } from '@florin/accounts'
import { databaseClock } from '@florin/platform/clock'
import { runCommand } from '@florin/platform/command'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { OperatorError } from '@florin/platform/errors'
import { makeSecrets } from '@florin/platform/secrets'
import { readConfig } from '../config.ts'
import { readMasterKey } from '../deps.ts'
import { withOwnDatabase } from '../embedded.ts'
import type { Config } from '../settings.ts'
import { makeWakes } from '../wakes.ts'
import { findWallet } from './accounts/find-wallet.ts'
import { findMerchant, listEmails } from './accounts/ownership.store.ts'
import { giveByOperator } from './take-over.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function run(sql: Sql, config: Config, text: string, to: string | undefined): Promise<void> {
  const found = await findWallet(sql, text)
  if (found === null)
    throw new OperatorError('This is no account: give its id (acct_…), its extended public key or its descriptor.')
  if (found.length === 0) {
    say('No merchant has this wallet.')
    return
  }
  const emails = await listEmails(
    sql,
    found.map((row) => row.merchantId),
  )
  for (const row of found) {
    const [first = ''] = firstAddresses(openAccount(row.descriptor, row), 1)
    say(
      `${row.id}  ${row.chain} ${row.network}  ${emails.get(row.merchantId) ?? row.merchantId}  first address ${first}`,
    )
  }
  if (to === undefined) return
  const merchantId = await findMerchant(sql, to)
  if (merchantId === null) throw new OperatorError(`No merchant has the email ${to}.`)
  const clock = await databaseClock(sql)
  const secrets = makeSecrets(await readMasterKey(config), config.masterKeyOld)
  const deps = { sql, clock, config, secrets, wake: makeWakes() }
  for (const { id } of found) {
    const isMoved = await withTx(sql, (tx) => giveByOperator(deps, tx, { id, merchantId, now: clock.now() }))
    say(isMoved === true ? `${id} is given to ${to}. Both merchants are mailed.` : `${id} belongs to ${to} already.`)
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { to: { type: 'string' } }, allowPositionals: true })
  const [text] = positionals
  if (text === undefined || positionals.length > 1) throw new OperatorError('npm run wallet -- ACCOUNT [--to EMAIL]')
  const config = readConfig()
  await withOwnDatabase(config, { applicationName: 'florin wallet', besideRunning: true, say }, (sql) =>
    run(sql, config, text, values.to),
  )
}

runCommand(main)
