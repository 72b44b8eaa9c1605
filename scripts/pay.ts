// `node scripts/run.mjs scripts/pay.ts ORDER_URL [RPC_URL]`: pays an order of a devnet as its payer's wallet would.
// ORDER_URL is the order's checkout_url or its pay.uri.
import { payOnDevnet } from '../packages/contracts/script/devnet.ts'
import { payCoin } from './devnet-coin.ts'

const [order, rpc] = process.argv.slice(2)

async function uriOf(text: string): Promise<string> {
  if (/^(ethereum|litecoin|bitcoin):/.test(text)) return text
  const answer = await fetch(text.replace('/pay/', '/checkout/'), { headers: { accept: 'application/json' } })
  const checkout = (await answer.json()) as { pay?: { uri: string | null } | null }
  if (checkout.pay?.uri) return checkout.pay.uri
  throw new Error(
    checkout.pay
      ? 'nothing of this order is left to pay'
      : 'the order has nothing to pay yet: choose a coin on its checkout first',
  )
}

if (order === undefined) {
  process.stderr.write('Say which order: node scripts/run.mjs scripts/pay.ts ORDER_URL [RPC_URL]\n')
  process.exitCode = 1
} else {
  try {
    const uri = await uriOf(order)
    const isCoin = !uri.startsWith('ethereum:')
    if (isCoin && rpc === undefined) throw new Error('Say which node pays: the start of the devnet prints its address')
    process.stdout.write(`paid: ${isCoin ? await payCoin(uri, rpc ?? '') : await payOnDevnet(uri, rpc)}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
