// Chooses the coins that pay a refund, and what the transaction costs. Pure.
import type { ScriptType } from '@florin/accounts'

export interface Coin {
  txid: string
  vout: number
  amount: bigint
}

/** Virtual bytes of an input, rounded up. */
const inputSize: Readonly<Record<ScriptType, bigint>> = { pkh: 148n, 'sh-wpkh': 91n, wpkh: 68n, tr: 58n }
const scriptSize: Readonly<Record<ScriptType, bigint>> = { pkh: 25n, 'sh-wpkh': 23n, wpkh: 22n, tr: 34n }
const REST = 11n
/** More than that a wallet would ask about. */
const INPUTS_MOST = 50

export interface Choice<C extends Coin> {
  coins: C[]
  fee: bigint
  /** 0: what is left over is not worth an output. */
  change: bigint
}

/**
 * @param coins in the order in which they should be spent.
 * @param a.rate satoshi for a virtual byte.
 * @param a.toScript of the refund, in hexadecimal.
 * @param a.dust less change is not relayed.
 * @param a.must these are spent in any case.
 * @returns null where they do not suffice.
 */
export function chooseCoins<C extends Coin>(
  coins: readonly C[],
  a: { amount: bigint; rate: bigint; script: ScriptType; toScript: string; dust: bigint; must?: readonly C[] },
): Choice<C> | null {
  const outputs = REST + 9n + BigInt(a.toScript.length / 2)
  const changeSize = 9n + scriptSize[a.script]
  const must = a.must ?? []
  let chosen: C[] = []
  let there = 0n
  // What costs more to spend than it brings pays for nothing.
  const worth = coins.filter((coin) => !must.includes(coin) && coin.amount > inputSize[a.script] * a.rate)
  for (const coin of [...must, ...worth].slice(0, INPUTS_MOST)) {
    chosen = [...chosen, coin]
    there += coin.amount
    const bare = (outputs + BigInt(chosen.length) * inputSize[a.script]) * a.rate
    if (chosen.length < must.length || there < a.amount + bare) continue
    const change = there - a.amount - bare - changeSize * a.rate
    return change >= a.dust
      ? { coins: chosen, fee: bare + changeSize * a.rate, change }
      : { coins: chosen, fee: there - a.amount, change: 0n }
  }
  return null
}
