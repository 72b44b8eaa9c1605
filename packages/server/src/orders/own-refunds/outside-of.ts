// Which rail looks up what a merchant sends back: the one that carried the order, where it can; where a third party did, whichever
// reads the chain that the merchant was paid on. Where nobody does, the merchant's word has to do, as the provider's did.
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { OutsideTransfers } from '@florin/rail-kit/interface/outside'
import type { Rails } from '@florin/rail-kit/registry'

interface Question {
  rail: string
  livemode: boolean
  asset: AssetRef
}

/** Whoever reads the chain; undefined: nobody here does. */
export const readerOf = (
  rails: Pick<Rails, 'all' | 'servicesOf'>,
  a: Pick<Question, 'livemode' | 'asset'>,
): OutsideTransfers | undefined =>
  rails.all
    .map(({ capabilities }) => rails.servicesOf(capabilities.kind).outside)
    .find((outside) => outside?.sees(a) === true)

export function outsideFor(
  rails: Pick<Rails, 'all' | 'byKind' | 'servicesOf'>,
  a: Question,
): OutsideTransfers | undefined {
  const own = rails.byKind(a.rail)
  if (own?.capabilities.custody !== 'third-party') return rails.servicesOf(a.rail).outside
  return readerOf(rails, a) ?? onWord
}

/** A transaction counts once it is named, and for one refund of that amount to that address. */
const onWord: OutsideTransfers = {
  sees: () => true,
  request: ({ to }) => ({ uri: to, transaction: null }),
  look: async ({ asset, to, amount, txHash }) => ({
    kind: 'found',
    transfers: [{ txHash, key: `word:${asset.chain}:${txHash}:${asset.asset}:${to}:${amount}`, amount, from: null }],
  }),
  search: async ({ after }) => ({ found: [], upTo: after }),
}
