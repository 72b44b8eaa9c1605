// A transfer shows to whom it went and how much, and not for whose order. Anybody may set any receiving address, so its sender does not
// show it either. So no two merchants wait for the same amount at the same address, but where the coins show whose they are.
import type { Tx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { listAwaited, lockPayee } from './store.ts'

/** So far around an amount another one is looked for. */
const NEAR = 100n

/**
 * In the transaction that asks for the refund.
 * @param a.notOf the merchant who asks: other requests of the same merchant do not matter.
 * @throws AppError refund_not_possible
 */
export async function requireApart(
  tx: Tx,
  a: { livemode: boolean; asset: AssetRef; to: string; amount: bigint; notOf: string },
): Promise<void> {
  const { amount, asset } = a
  await lockPayee(tx, a)
  const taken = new Set(await listAwaited(tx, { ...a, lowest: amount - NEAR, highest: amount + NEAR }))
  if (!taken.has(amount)) return
  const near = Array.from({ length: Number(NEAR) }, (_, n) => BigInt(n) + 1n)
  const others = [...near.map((n) => amount - n), ...near.map((n) => amount + n)]
  const free = others.find((one) => one > 0n && !taken.has(one))
  const hint = free === undefined ? 'Ask for another amount.' : `Ask for another amount, such as ${free}.`
  throw new AppError('refund_not_possible', {
    message: `Another merchant waits for ${amount} smallest units of ${asset.asset} at this address, or has canceled a refund of it, and one transfer could be for either. ${hint}`,
  })
}
