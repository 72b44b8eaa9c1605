// Tells merchants what an account of theirs needs: a higher limit before payments come where the wallet does not look, and
// that something else gives out its addresses as well.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { type Db, type Tx, withTx } from '@florin/platform/db/tx'
import { closeOtherCauses, insertAttention, putAttention } from '../../attention/store.ts'
import { listInUse } from './counter.store.ts'
import { isNearCap, isStrangersFull, strangersCap, unpaidCap, unpaidRun } from './rules.ts'
import { type ForeignUse, listAccounts } from './store.ts'

const NEAR = 'wallet_limit_near'

/** An item for each merchant whose account is near its limit, until it is not any more. @returns 0: it looks again by its pace. */
export async function tellLimits({ sql, clock }: { sql: Sql; clock: Clock }): Promise<number> {
  const now = clock.now()
  await withTx(sql, async (tx) => {
    const near = (await listInUse(tx, now)).filter((row) => isNearCap(row) || isStrangersFull(row))
    const causes: string[] = []
    for (const row of near) {
      const cause = `${NEAR}:${row.id}:${row.merchantId}`
      causes.push(cause)
      const evidence = {
        ...{ chain: row.chain, account: row.id, unpaid: `${unpaidRun(row)}`, unpaid_max: `${unpaidCap(row)}` },
        ...{ by_payers: `${row.byStrangers}`, by_payers_max: `${strangersCap(row)}` },
        ...{ highest: `${row.nextIndex}`, highest_index: `${row.nextIndex - 1n}`, wallet_limit: `${row.walletLimit}` },
      }
      const about = { merchantId: row.merchantId, livemode: row.network === 'main', orderNo: null }
      await putAttention(tx, about, { kind: NEAR, cause, evidence, actions: ['dismiss'] }, now)
    }
    await closeOtherCauses(tx, { prefixes: [`${NEAR}:`], causes, resolution: 'the row is short again' }, now)
  })
  return 0
}

export interface LostPayment {
  account: string
  chain: string
  asset: string
  livemode: boolean
  address: string
  orderRef: string
  amount: bigint
  txid: string
  vout: number
}

/** In the transaction that saw the payments. Where the account is not here, operators alone are told. */
export async function tellLostPayments(tx: Tx, payments: readonly LostPayment[], now: Date): Promise<void> {
  const accounts = await listAccounts(
    tx,
    payments.map((one) => one.account),
  )
  for (const { account, chain, asset, livemode, address, orderRef, amount, txid, vout } of payments) {
    const evidence = { chain, asset, amount: `${amount}`, to: address, tx_hash: txid, order_ref: orderRef, account }
    const wish = { kind: 'payment_of_lost_order', cause: `payment_of_lost_order:${chain}:${txid}:${vout}` }
    const about = { merchantId: accounts.get(account)?.merchantId ?? null, livemode, orderNo: null }
    await insertAttention(tx, about, { ...wish, evidence, actions: ['dismiss'] }, now)
  }
}

/** In the transaction that saw the payments. */
export async function tellForeignUse(db: Db, uses: readonly ForeignUse[], now: Date): Promise<void> {
  for (const { account, merchantId, chain, network, index } of uses) {
    const evidence = { chain, account, index: `${index}` }
    const wish = { kind: 'account_used_elsewhere', cause: `account_used_elsewhere:${account}:${merchantId}` }
    const about = { merchantId, livemode: network === 'main', orderNo: null }
    await insertAttention(db, about, { ...wish, evidence, actions: ['dismiss'] }, now)
  }
}
