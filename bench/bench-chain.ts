// The chain that benches of the watcher read: one token, one provider, counted at once.
import assert from 'node:assert/strict'
import { type ForwarderChain, parseRailsConfig } from '../packages/rail-evm/src/settings/config.ts'

export function benchChain({ url, factory, token }: { url: string; factory: string; token: string }): ForwarderChain {
  const base = {
    ...{ mode: 'test', chainId: 31_337, rpc: [url], factory, impl: factory, collector: factory },
    tokens: [{ asset: 'USDC', contract: token, decimals: 6 }],
    confirmations: { seen: 1, settle: 2 },
    finality: { depth: 4 },
  }
  const [chain] = parseRailsConfig(JSON.stringify({ chains: { base } }), {})
  assert.ok(chain)
  return chain
}
