// A local chain that payers of swaps pay on, with a token at an address of its own: a transfer is one call.
import { setTimeout as wait } from 'node:timers/promises'
import { startAnvil } from '../../packages/contracts/script/anvil.ts'
import { testUsdcBytecode } from '../../packages/contracts/src/test-tokens.ts'

export interface PayersChain {
  url: string
  /** So many units of the token, in a block when this resolves. */
  pay(address: string, units: bigint): Promise<void>
  stop(): Promise<void>
}

/** @param token where the token is to be */
export async function startPayersChain(token: string): Promise<PayersChain> {
  const anvil = await startAnvil()
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = (await (await fetch(anvil.url, { method: 'POST', headers, body })).json()) as { result?: unknown }
    if (answer.result === undefined) throw new Error(`${method}: ${JSON.stringify(answer)}`)
    return answer.result
  }
  const [from] = (await call('eth_accounts', [])) as string[]
  const mined = async (transaction: object): Promise<{ contractAddress: string | null }> => {
    const hash = await call('eth_sendTransaction', [{ from, gas: '0x4c4b40', ...transaction }])
    for (;;) {
      const receipt = (await call('eth_getTransactionReceipt', [hash])) as { contractAddress: string | null } | null
      if (receipt !== null) return receipt
      await wait(10)
    }
  }
  const { contractAddress } = await mined({ data: testUsdcBytecode })
  await call('anvil_setCode', [token, await call('eth_getCode', [contractAddress, 'latest'])])
  const word = (hex: string): string => hex.padStart(64, '0')
  return {
    url: anvil.url,
    async pay(address, units) {
      // mint(address,uint256): a transfer from nobody.
      await mined({ to: token, data: `0x40c10f19${word(address.slice(2))}${word(units.toString(16))}` })
    },
    stop: () => anvil.stop(),
  }
}
