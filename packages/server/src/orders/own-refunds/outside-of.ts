// Which rail looks up what a merchant sends back: the one that carried the order, where it can; where a third party did, whichever
// reads the chain that the merchant was paid on.
import type { AssetRef } from '../../rails/interface/asset.ts'
import type { OutsideTransfers } from '../../rails/interface/outside.ts'
import type { Rails } from '../../rails/registry.ts'

export function outsideFor(
  rails: Pick<Rails, 'all' | 'byKind'>,
  a: { rail: string; livemode: boolean; asset: AssetRef },
): OutsideTransfers | undefined {
  const own = rails.byKind(a.rail)
  if (own?.capabilities.custody !== 'third-party') return own?.outside
  return rails.all.find(({ outside }) => outside?.sees(a) === true)?.outside
}
