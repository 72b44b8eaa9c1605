// A wallet that was used and emptied before its account came here: what a node can tell of it, by blocks and by filters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveAddresses, openAccount } from '@florin/accounts'
import { isAccountRef } from '@florin/rail-kit/account-ref'
import { findCounted } from '../../../server/src/addresses/accounts/counter.store.ts'
import { accountUseJob } from '../../../server/src/addresses/accounts/use.ts'
import { setAddress } from '../../../server/src/addresses/change.ts'
import { parsePlace } from '../../../server/src/addresses/rules.ts'
import { parseChain } from '../../../server/src/parse-chain.ts'
import { anAsker } from '../../../server/test/factories.ts'
import { TestChain } from '../test/chain.fixture.ts'
import { ACCOUNT, aWorld, output, type World } from '../test/world.fixture.ts'

/** Branches that no order uses: each an account of its own, of the same merchant. */
const branch = (n: number): string => ACCOUNT.replace('/0/*)', `/${n}/*)`)
const scriptsOf = (text: string, from: number, count: number): string[] =>
  deriveAddresses(openAccount(text, { chain: 'btc', network: 'regtest' }), from, count).map((one) => one.scriptPubKey)

/** Sets it and asks the chain until there is no more to ask. */
async function learnt(world: World, text: string) {
  const chain = parseChain('btc', 'chain')
  const { place, given } = parsePlace(chain, { text, script: null, walletAddress: null }, { btc: 'regtest' })
  const { merchantId } = world.caller
  assert.ok(given !== null && isAccountRef(place))
  await setAddress(world.deps, anAsker(merchantId), { chain, address: place, label: null, given })
  while (
    (await accountUseJob({ ...world.deps, accountHistory: world.rail.accountHistory }).run(AbortSignal.any([]))) > 0
  );
  const row = await findCounted(world.deps.sql, { merchantId, id: place, now: world.clock.now() })
  return { history: row?.history, next: row?.nextIndex, told: row?.toldBy, downTo: row?.readDownTo }
}

test('addresses that were paid and swept are known from blocks, as far back as there are any', async (t) => {
  const world = await aWorld(t, { fields: { historyBlocks: 40 } })
  const { chain } = world
  for (const script of scriptsOf(branch(7), 0, 5)) chain.mine([TestChain.transaction([output(script, 1_000n)])])
  for (const script of scriptsOf(branch(8), 30, 1)) chain.mine([TestChain.transaction([output(script, 1_000n)])])
  const whole = await learnt(world, branch(7))
  assert.deepEqual(whole, { history: 'whole', next: 5n, told: ['blocks'], downTo: 1n })
  for (let n = 0; n < 60; n++) chain.mine([])
  const { height } = chain.tip
  assert.deepEqual(await learnt(world, branch(8)), {
    ...{ history: 'part', next: 0n, told: ['blocks'] },
    downTo: BigInt(height - 39),
  })

  // The same account, asked again as if nothing was known of it.
  const account = openAccount(branch(8), { chain: 'btc', network: 'regtest' })
  const read = () =>
    world.rail.accountHistory.read({ chain: 'btc', account, top: null, readDownTo: null, usedBelow: 0n, from: 0n })
  chain.pruned.add(chain.blocks.at(-10)?.hash ?? '')
  const top = BigInt(height)
  assert.deepEqual(await read(), { highest: null, top, readDownTo: top - 8n, end: 'part' })
  chain.pruned.add(chain.tip.hash)
  assert.deepEqual(await read(), { highest: null, top, readDownTo: null, end: 'none' })
  // A node with block filters names the blocks: no other is read.
  const paid = chain.blocks.findLast((block) => block.transactions.length > 1)
  chain.answers.set('scanblocks', () => ({ relevant_blocks: [chain.blocks[1]?.hash, paid?.hash], completed: true }))
  assert.deepEqual(await read(), { highest: 30n, top, readDownTo: 0n, end: 'whole' })
  // Coins that lie there tell at once.
  const [near = '', far = ''] = [...scriptsOf(branch(8), 2, 1), ...scriptsOf(branch(8), 35, 1)]
  chain.answers.set('scantxoutset', () => ({ unspents: [near, far].map((scriptPubKey) => ({ scriptPubKey })) }))
  assert.equal(await world.rail.accountHistory.unspent({ chain: 'btc', account }), 35n)
})
