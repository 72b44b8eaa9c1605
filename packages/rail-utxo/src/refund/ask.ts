// A refund that the merchant's wallet is asked for: its address is watched from now on.
import { withTx } from '@florin/platform/db/tx'
import { DAY_MS } from '@florin/protocol'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import type { RefundRequest } from '@florin/rail-kit/interface/moves'
import { reportFactsOfMany } from '@florin/rail-kit/report.store'
import { scriptOfRefund, shownAddress, uriOfRefund } from '../address/payees.ts'
import { WATCH_DAYS } from '../address/waits.store.ts'
import type { UtxoContext } from '../context.ts'
import { insertRefund } from '../watch/money.store.ts'

export async function askRefunds(parts: UtxoContext, requests: readonly RefundRequest[]): Promise<void> {
  const now = parts.clock.now()
  await withTx(parts.sql, async (tx) => {
    const facts: { orderRef: string; fact: RailFact }[] = []
    const payees = requests.map(({ asset: { chain }, ...request }) => {
      const script = scriptOfRefund({ chain, livemode: request.livemode, to: request.to })
      return { ...request, chain, script }
    })
    // In one order, so that two transactions that watch the same scripts never wait for each other.
    payees.sort((a, b) => (a.script < b.script ? -1 : 1))
    for (const { refundId: id, orderRef, legRef, livemode, amount, chain, script, to } of payees) {
      const watchUntil = new Date(now.getTime() + WATCH_DAYS * DAY_MS)
      await insertRefund(tx, { id, orderRef, legRef, chain, script, amount, watchUntil }, now)
      // People read of it as proposed: the merchant's wallet has to sign.
      const uri = uriOfRefund({ chain, livemode, script, amount }) ?? to
      const byWallet = { uri, to: shownAddress({ chain, livemode, script }) ?? to }
      facts.push({ orderRef, fact: { kind: 'refund_proposed', refundId: id, txHash: null, byWallet } })
    }
    await reportFactsOfMany(tx, { rail: 'utxo', facts, now })
  })
  parts.wake.facts.fire()
}
