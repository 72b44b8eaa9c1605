// A refund that the merchant's wallet is asked for: its address is watched from now on, and no other merchant waits for the
// same amount there.
import { DAY_MS } from '@florin/protocol'
import { type Tx, withTx } from '../../../platform/db/tx.ts'
import type { RailFact } from '../../interface/fact.ts'
import type { RefundRequest } from '../../interface/moves.ts'
import { reportFactsOfMany } from '../../report.store.ts'
import { freeAmount, payeeOf, scriptOfRefund, shownAddress, uriOfRefund } from '../address/payees.ts'
import { listAwaitedAmounts, listAwaitedOwn, lockPayee, WATCH_DAYS } from '../address/waits.store.ts'
import type { UtxoContext } from '../context.ts'
import { insertRefund } from '../watch/money.store.ts'
import { findMerchantOf, findRefund } from './refund.store.ts'

export async function askRefunds(parts: UtxoContext, requests: readonly RefundRequest[]): Promise<void> {
  const now = parts.clock.now()
  await withTx(parts.sql, async (tx) => {
    const facts: { orderRef: string; fact: RailFact }[] = []
    const payees = requests.map((request) => {
      const { chain } = request.asset
      const script = scriptOfRefund({ chain, livemode: request.livemode, to: request.to })
      return { ...request, chain, script, address: payeeOf(chain, script) }
    })
    // In one order, so that nobody waits for somebody who waits for him.
    for (const payee of payees.toSorted((a, b) => (a.address < b.address ? -1 : 1))) await lockPayee(tx, payee)
    for (const { refundId: id, orderRef, legRef, livemode, amount, ...payee } of payees) {
      const { chain, script } = payee
      const ask = await amountToAsk(tx, { ...payee, orderRef, refundId: id, amount })
      const watchUntil = new Date(now.getTime() + WATCH_DAYS * DAY_MS)
      await insertRefund(tx, { id, orderRef, legRef, chain, script, amount, extra: ask - amount, watchUntil }, now)
      // People read of it as proposed: the merchant's wallet has to sign.
      const uri = uriOfRefund({ chain, livemode, script, amount: ask }) ?? payee.to
      const byWallet = { uri, amount: ask, to: shownAddress({ chain, livemode, script }) ?? payee.to }
      facts.push({ orderRef, fact: { kind: 'refund_proposed', refundId: id, txHash: null, byWallet } })
    }
    await reportFactsOfMany(tx, { rail: 'utxo', facts, now })
  })
  parts.wake.facts.fire()
}

/** A transfer shows who it is for and how much, and not whose it is: so no two merchants wait for the same of both. */
async function amountToAsk(
  tx: Tx,
  a: { chain: string; script: string; address: string; orderRef: string; refundId: string; amount: bigint },
): Promise<bigint> {
  const asked = await findRefund(tx, a.refundId)
  if (asked !== null) return asked.amount
  const { chain, script, amount } = a
  const notOf = await findMerchantOf(tx, a.orderRef)
  const taken = await listAwaitedAmounts(tx, { chain, script, notOf })
  const own = await listAwaitedOwn(tx, { chain, addresses: [a.address], notOf })
  return freeAmount(amount, [...taken, ...own.map((row) => row.amount)])
}
