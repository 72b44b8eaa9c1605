// What nodes of Solana, Bitcoin and Litecoin show of deposit addresses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import { type Network, networkOf } from '../../utxo/chain/networks.ts'
import { scriptOf } from '../../utxo/chain/script.ts'
import { outputsAt } from '../../utxo/outputs.ts'
import { TestChain } from '../../utxo/test/chain.fixture.ts'
import { NodeAway, nodeAt } from '../node/ask.ts'
import { depositAddress } from '../test/addresses.fixture.ts'
import { aNodeBefore, type Call } from '../test/nodes.fixture.ts'
import { blocksLook } from './blocks.ts'
import type { OpenPlace } from './look.ts'
import { solanaLook } from './solana.ts'

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const NEWER = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

const placeOf = (chain: string, n: number, contract: string | null = null): OpenPlace => ({
  ...{ ref: `${chain} ${n}`, address: depositAddress(chain, n), asset: { contract } },
})
const never = new AbortController().signal

test('on Solana what lies on an address or on its account of the token is seen, a hundred a call', async (t) => {
  const accounts = new Map<string, unknown>()
  const token = (amount: bigint) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(amount)
    return { lamports: 2_039_280, owner: TOKEN, data: [bytes.toString('base64'), 'base64'] }
  }
  let timeoutMs = 10_000
  let most = Number.POSITIVE_INFINITY
  let misdeed: { result: unknown } | 'silence' | number | null = null
  const asked: number[] = []
  const node = await aNodeBefore(t, null)
  node.instead = (call) => {
    const { params } = call as Call
    const list = params[0] as string[]
    asked.push(list.length)
    if (misdeed !== null) return misdeed
    if (list.length > most) return 'refusal'
    return { result: { context: { slot: 1 }, value: list.map((one) => accounts.get(one) ?? null) } }
  }
  const look = solanaLook((stop) => nodeAt(node.url, { timeoutMs, stop }))
  const newer = base58.encode(Buffer.alloc(32, 7))
  accounts.set(USDC, { lamports: 1, owner: TOKEN, data: ['', 'base64'] })
  accounts.set(newer, { lamports: 1, owner: NEWER, data: ['', 'base64'] })
  const wallet = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
  const places: OpenPlace[] = [
    ...Array.from({ length: 250 }, (_, n) => placeOf('sol', n, n % 2 === 0 ? null : USDC)),
    { ref: 'known', address: wallet, asset: { contract: USDC } },
    { ref: 'newer', address: wallet, asset: { contract: newer } },
  ]
  const open = async (): Promise<OpenPlace[]> => places
  const ask = () => look({ cursor: null, open, stop: never })
  assert.deepEqual(await ask(), { seen: [], cursor: null, gap: null })
  // The tokens once, then all places.
  assert.deepEqual(asked, [2, 100, 100, 52])

  accounts.set(placeOf('sol', 4).address, { lamports: 5_000, owner: '1'.repeat(32), data: ['', 'base64'] })
  // As the chain's own tools work it out for this wallet and token.
  accounts.set('FGETo8T8wMcN2wCjav8VK6eh3dLk63evNDPxzLSJra8B', token(9n))
  // Rent alone is no money; what lies on the wallet itself is not the token.
  accounts.set(placeOf('sol', 5).address, { lamports: 5_000, owner: '1'.repeat(32), data: ['', 'base64'] })
  most = 30
  const { seen, gap } = await ask()
  assert.deepEqual(
    seen.map(({ ref, key, txHash }) => [ref, key, txHash]),
    [
      ['sol 4', 'holds 5000', null],
      ['known', 'holds 9', null],
    ],
  )
  assert.equal(gap, null)
  for (const one of [
    { result: null },
    { result: { value: [] } },
    { result: { value: 'x' } },
    'silence',
    500,
  ] as const) {
    misdeed = one
    if (one === 'silence') timeoutMs = 100
    await assert.rejects(ask(), NodeAway)
  }
})

test('in blocks of Bitcoin and Litecoin each payment to an address is seen once, also after a reorg', async (t) => {
  for (const id of ['btc', 'ltc']) {
    const main = networkOf(id, 'main') as Network
    const chain = new TestChain(() => new Date('2026-03-01T00:00:00Z'), networkOf(id, 'regtest') as Network)
    const url = await chain.host(t)
    const look = blocksLook(outputsAt(id, { name: 'host', url }, 2_000))
    const [first, second] = [placeOf(id, 1), placeOf(id, 2)]
    const script = ({ address }: OpenPlace): string => scriptOf(main, address) ?? assert.fail(address)
    const open = async (): Promise<OpenPlace[]> => [first, second, { ...second, ref: 'again' }]
    let cursor: bigint | null = null
    const ask = async (): Promise<unknown[]> => {
      const looked = await look({ cursor, open, stop: never })
      cursor = looked.cursor
      return [...looked.seen.map(({ ref, txHash }) => [ref, txHash]), ...(looked.gap === null ? [] : ['more'])]
    }
    for (let n = 0; n < 5; n++) chain.mine()
    assert.deepEqual(await ask(), [])
    const txid = chain.send(TestChain.transaction([{ script: script(first), amount: 7n }]))
    assert.deepEqual(await ask(), [], 'not in a block yet')
    chain.mine()
    assert.deepEqual(await ask(), [[first.ref, txid]])
    assert.deepEqual(await ask(), [])
    // Another block in its place, with another payment.
    chain.leave(1, { toPool: false })
    const other = chain.send(TestChain.transaction([{ script: script(second), amount: 1n }]))
    chain.mine()
    assert.deepEqual(await ask(), [
      [second.ref, other],
      ['again', other],
    ])
    for (let n = 0; n < 9; n++) chain.mine()
    const late = chain.send(TestChain.transaction([{ script: script(first), amount: 7n }]))
    chain.mine()
    assert.deepEqual(await ask(), ['more'])
    assert.deepEqual(await ask(), [[first.ref, late]])
    chain.isDown = true
    await assert.rejects(ask(), NodeAway)
  }
})
