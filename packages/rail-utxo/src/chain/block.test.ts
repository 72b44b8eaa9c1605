import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assemble, TestChain, txidOf } from '../test/chain.fixture.ts'
import { BadBlock, readBlock, readHeader, readTransaction, type Visitor } from './block.ts'
import { networkOf } from './networks.ts'
import { addressOf, scriptOf } from './script.ts'
import { readSpends } from './spends.ts'
import { bitsOf, bitsOfDifficulty, difficultyFault, retargeted, targetOf, workFault, workOf } from './work.ts'

const nobody: Visitor = { output: () => undefined, input: () => undefined }
const main = { btc: networkOf('btc', 'main'), ltc: networkOf('ltc', 'main') }
assert.ok(main.btc && main.ltc)
const { btc, ltc } = main as { btc: NonNullable<typeof main.btc>; ltc: NonNullable<typeof main.ltc> }

/** The headers of the first blocks of both chains, as every node knows them. */
const first = {
  btc: '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c',
  ltc: '010000000000000000000000000000000000000000000000000000000000000000000000d9ced4ed1130f7b7faad9be25323ffafa33232a17c3edf6cfd97bee6bafbdd97b9aa8e4ef0ff0f1ecd513f7c',
}

test('the first headers have their hashes and their work, and a changed one has not', () => {
  for (const [chain, network] of [
    ['btc', btc],
    ['ltc', ltc],
  ] as const) {
    const header = readHeader(Buffer.from(first[chain], 'hex'))
    assert.equal(header.hash, network.genesis)
    assert.equal(workFault(header, network.work), null)
    const other = Buffer.from(first[chain], 'hex')
    other.writeUInt32LE(7, 76)
    assert.match(workFault(readHeader(other), network.work) ?? '', /does not carry the work/)
  }
})

test('targets, difficulty and adjustments are those of the nodes', () => {
  // Bitcoin Core's own cases of adjustments.
  const cases = [
    [1261130161, 1262152739, 0x1d00ffff, 0x1d00d86a],
    [1231006505, 1233061996, 0x1d00ffff, 0x1d00ffff],
    [1279008237, 1279297671, 0x1c05a3f4, 0x1c0168fd],
    [1263163443, 1269211443, 0x1c387f6f, 0x1d00e1fd],
  ] as const
  for (const [from, to, bits, next] of cases) assert.equal(retargeted(bits, to - from, btc.work), next)
  for (const bits of [0x1d00ffff, 0x17034219, 0x1e0fffff, 0x207fffff, 0x1b0404cb])
    assert.equal(bitsOf(targetOf(bits) ?? 0n), bits)
  for (const bad of [0, 0x1d800001, 0xff123456, 0x01000000])
    assert.equal(targetOf(bad), bad === 0x01000000 ? null : null)
  assert.equal(workOf(0x1d00ffff), 0x100010001n)
  assert.equal(bitsOfDifficulty(1n), 0x1d00ffff)
  assert.ok(
    (targetOf(btc.floorBits ?? 0) ?? 0n) > (targetOf(0x17034219) ?? 0n),
    'what was mined in 2024 is above the floor',
  )
})

test('a difficulty that does not follow from its parent is refused', () => {
  const parent = { bits: 0x1c05a3f4, time: new Date(1279297671_000) }
  const periodStart = new Date(1279008237_000)
  const fault = (height: number, bits: number, start: Date | null) =>
    difficultyFault({ height, bits, parent, periodStart: start }, btc.work)
  assert.equal(fault(2015, parent.bits, periodStart), null)
  assert.match(fault(2015, 0x1c05a3f5, periodStart) ?? '', /between two adjustments/)
  assert.equal(fault(2016, 0x1c0168fd, periodStart), null)
  assert.match(fault(2016, parent.bits, periodStart) ?? '', /not the one that is due/)
  assert.equal(fault(2016, parent.bits, null), null, 'where the period is not known its bounds hold')
  assert.match(fault(2016, 0x1d00ffff, null) ?? '', /fell by more/)
})

test('a block shows each input and output, and one whose transactions are not its header’s is refused', () => {
  const network = networkOf('btc', 'regtest')
  assert.ok(network)
  const payer = TestChain.outpoint()
  const script = `0014${'ab'.repeat(20)}`
  const payment = TestChain.transaction(
    [
      { script: '6a', amount: 0n },
      { script, amount: 21_000_000n * 10n ** 8n },
    ],
    [payer],
  )
  const other = TestChain.transaction([{ script: '51', amount: 1n }])
  const raw = assemble(network, { parent: '11'.repeat(32), time: 1_700_000_000, transactions: [other, payment] })
  const seen: unknown[] = []
  const block = readBlock(raw, {
    output({ tx, index }, amountAt, scriptAt, length) {
      if (tx !== 1) return
      seen.push([index, raw.readBigUInt64LE(amountAt), raw.toString('hex', scriptAt, scriptAt + length)])
    },
    input({ tx }, at) {
      if (tx === 1)
        assert.equal(
          Buffer.from(raw.subarray(at, at + 32))
            .reverse()
            .toString('hex'),
          payer.txid,
        )
    },
  })
  assert.deepEqual(seen, [
    [0, 0n, '6a'],
    [1, 2_100_000_000_000_000n, script],
  ])
  assert.deepEqual([block.count, block.txids(1), block.hogEx], [2, txidOf(payment), null])
  const { inputs, outputs, txid } = readTransaction(payment)
  assert.deepEqual([inputs[0]?.txid, outputs[1]?.script, txid], [payer.txid, script, txidOf(payment)])

  const left = assemble(network, { parent: '11'.repeat(32), time: 1_700_000_000, transactions: [other] })
  const invented = Buffer.concat([left.subarray(0, 80), raw.subarray(80)])
  const repeated = Buffer.concat([left.subarray(0, 80), Buffer.from([2]), other, other])
  // Three transactions and the last of them twice have one root (CVE-2012-2459).
  const third = TestChain.transaction([{ script, amount: 5n }])
  const three = assemble(network, {
    parent: '11'.repeat(32),
    time: 1_700_000_000,
    transactions: [other, payment, third],
  })
  const twice = Buffer.concat([three.subarray(0, 80), Buffer.from([4]), three.subarray(81), third])
  const longer = Buffer.concat([raw, Buffer.from([0])])
  for (const bad of [invented, repeated, twice, longer, raw.subarray(0, raw.length - 1), raw.subarray(0, 70)])
    assert.throws(() => readBlock(bad, nobody), BadBlock)
  for (let at = 80; at < raw.length; at++) {
    const bent = Buffer.from(raw)
    bent[at] = (bent[at] ?? 0) ^ 0xff
    assert.throws(() => readBlock(bent, nobody), BadBlock, `byte ${at}`)
  }
})

test('a witness does not change the id of a transaction', () => {
  // The example of BIP-143, unsigned and signed.
  const unsigned =
    '0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000000eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac11000000'
  const plain = Buffer.from(unsigned, 'hex')
  const witness = Buffer.from('000102aabb', 'hex')
  const signed = Buffer.concat([
    plain.subarray(0, 4),
    Buffer.from('0001', 'hex'),
    plain.subarray(4, -4),
    ...[Buffer.from([0]), witness.subarray(1, 2), witness.subarray(2, 3), witness.subarray(3)],
    plain.subarray(-4),
  ])
  assert.equal(readTransaction(signed).txid, readTransaction(plain).txid)
  assert.equal(readTransaction(signed).inputs.length, 2)
})

test('an address and its script stand for each other, on the network that it is of', () => {
  const pairs: [typeof btc, string, string][] = [
    [btc, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
    [
      btc,
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
    [btc, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '76a91477bff20c60e522dfaa3350c39b030a5d004e839a88ac'],
    [btc, '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87'],
    [ltc, 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
  ]
  for (const [network, address, script] of pairs) {
    assert.equal(scriptOf(network, address), script)
    assert.equal(addressOf(network, script), address)
    const other = network === btc ? ltc : btc
    if (/^(bc|ltc)1/.test(address)) assert.equal(scriptOf(other, address), null)
  }
  assert.equal(scriptOf(btc, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'), null)
  assert.equal(scriptOf(ltc, '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'), 'a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87')
  assert.equal(addressOf(btc, '6a04deadbeef'), null)
})

test('what a transaction spends, and whose scripts its inputs show, in BIP-143’s examples', () => {
  const [plain, program] = readSpends(
    Buffer.from(
      '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000',
      'hex',
    ),
  )
  assert.deepEqual(plain, {
    coin: '9f96ade4b41d5433f4eda31e1738ec2b36f6e7d1420d94a6af99801a88f7f7ff:0',
    scripts: [],
  })
  assert.deepEqual(program, {
    coin: '8ac60eb9575db5b2d987e29f301b5b819ea83a5c6579d282d189cc04b8e151ef:1',
    scripts: ['00141d0f172a0ecb48aee1be1f2687d2963ae33f71a1'],
  })
  const [nested] = readSpends(
    Buffer.from(
      '01000000000101db6b1b20aa0fd7b23880be2ecbd4a98130974cf4748fb66092ac4d3ceb1a5477010000001716001479091972186c449eb1ded22b78e40d009bdf0089feffffff02b8b4eb0b000000001976a914a457b684d7f0d539a46a45bbc043f35b59d0d96388ac0008af2f000000001976a914fd270b1ee6abcaea97fea7ad0402e8bd8ad6d77c88ac02473044022047ac8e878352d3ebbde1c94ce3a10d057c24175747116f8288e5d794d12d482f0220217f36a485cae903c713331d877c1f64677e3622ad4010726870540656fe9dcb012103ad1d8e89212f0b92c74d23bb710c00662ad1470198ac48c43f7d6f93a2a2687392040000',
      'hex',
    ),
  )
  assert.deepEqual(nested?.scripts, ['a9144733f37cf4db86fbc2efed2500b4f4e49f31202387'])
})
