// Payouts that the provider tells of, and a node of the destination chain, over HTTP, that shows what a test says.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { TRANSFER } from '@florin/rail-kit/transfer-log'
import { deposit, fill } from './swaps.fixture.ts'
import type { World } from './world.fixture.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** Answers as a node does: by path, or by the first parameter of a call. */
export async function aNode(
  t: TestContext,
): Promise<{ url: string; answers: Map<string, unknown>; status: { code: number } }> {
  const answers = new Map<string, unknown>()
  const status = { code: 200 }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      const name = body === '' ? (request.url ?? '') : (JSON.parse(body) as { params: string[] }).params[0]
      const answer = named(name ?? '', answers.get(name ?? '') ?? null)
      const isKnown = body !== '' || answer !== null
      response.writeHead(isKnown ? status.code : 404).end(JSON.stringify(body === '' ? answer : { result: answer }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers, status }
}

/** As nodes do, it says which transaction it tells of, unless the test says another. */
function named(name: string, answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  if ('logs' in answer) return { transactionHash: name, ...answer }
  if (name.startsWith('/tx/')) return { txid: name.slice('/tx/'.length), ...answer }
  if (!('meta' in answer)) return answer
  const { transaction } = answer as { transaction?: object }
  return { ...answer, transaction: { signatures: [name], ...transaction } }
}

export const word = (hex: string): string => `0x${hex.replace('0x', '').padStart(64, '0')}`
export const receipt = (to: string, amount: bigint, contract = USDC, blockNumber = '0xb10c', times = 1): unknown => ({
  ...{ status: '0x1', blockNumber },
  logs: Array.from({ length: times }, (_, n) => ({
    ...{
      logIndex: `0x${(7 + n).toString(16)}`,
      address: contract.toLowerCase(),
      topics: [TRANSFER, word('0x1'), word(to)],
    },
    data: word(amount.toString(16)),
  })),
})

export const USDC_OUT = 49_500_000n
export const hash = (n: number): string => word(n.toString(16))
export const merchant = (order: OrderState): string => order.legs[0]?.settleAddress ?? ''

/** A swap that the provider says it paid out by this transaction. */
export async function claimed(world: World, txHash: string): Promise<OrderState> {
  const order = await world.order()
  deposit(world.swapOf(order), order.legs[0]?.amountDue ?? 0n, world.clock.now())
  await world.settle()
  fill(world.swapOf(order), world.clock.now(), { hash: txHash })
  return order
}

export interface Item {
  id: string
  kind: string
  actions: string[]
  evidence: Record<string, string>
}

export const itemsOf = async (world: World, { orderNo }: OrderState): Promise<Item[]> =>
  world.deps.sql<Item[]>`
    select id, kind, actions, evidence from attention where order_no = ${orderNo} and resolved_at is null order by kind`
