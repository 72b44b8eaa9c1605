// The ways to pay as a payer looks through them: coins first, then the networks a coin runs on. And the choice made last.
import type { PayChoice } from '@florin/protocol'

export interface Coin {
  asset: string
  /** In the server's order; never empty. */
  choices: PayChoice[]
}

/** What most payers hold, in this order; every other coin follows in the server's order. */
const usual = ['USDC', 'USDT', 'BTC', 'ETH', 'SOL']

export function coinsOf(choices: readonly PayChoice[]): Coin[] {
  const coins: Coin[] = []
  for (const choice of choices) {
    const coin = coins.find((known) => known.asset === choice.asset)
    if (coin) coin.choices.push(choice)
    else coins.push({ asset: choice.asset, choices: [choice] })
  }
  const rank = (coin: Coin): number => {
    const at = usual.indexOf(coin.asset.toUpperCase())
    return at < 0 ? usual.length : at
  }
  return coins.sort((a, b) => rank(a) - rank(b))
}

export const choiceKey = (choice: { chain: string; asset: string }): string => `${choice.chain} ${choice.asset}`

const rememberedAt = 'florin-checkout-choice'

/**
 * The choice the payer made last on this device, where it is offered again.
 * @param storage a function, because the name `localStorage` throws already where site data are blocked
 */
export function rememberedChoice(
  choices: readonly PayChoice[],
  storage: () => Pick<Storage, 'getItem'>,
): PayChoice | null {
  try {
    const key = storage().getItem(rememberedAt)
    return choices.find((choice) => choiceKey(choice) === key) ?? null
  } catch {
    // A browser that forbids storage forgets, and that is all.
    return null
  }
}

export function rememberChoice(choice: PayChoice, storage: () => Pick<Storage, 'setItem'>): void {
  try {
    storage().setItem(rememberedAt, choiceKey(choice))
  } catch {
    // As above.
  }
}
