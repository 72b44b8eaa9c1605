// Measures what a full block costs the watcher of Bitcoin and Litecoin: 4,000 transactions of two inputs and two outputs
// with witnesses, against 100,000 open addresses of which 50 are paid. Our own CPU alone: parsing, every id, the merkle
// root, and the matching. The node's own time for the same block, measured beside it in research: 7 to 33 ms.
import { randomBytes } from 'node:crypto'
import { networkOf } from '../packages/rail-utxo/src/chain/networks.ts'
import { assembleWith } from '../packages/rail-utxo/src/test/chain.fixture.ts'
import { outpointSet, scriptSet } from '../packages/rail-utxo/src/watch/scripts.ts'
import { orSmoke, verdict } from './smoke.ts'

const ADDRESSES = orSmoke(100_000, 1_000)
const TRANSACTIONS = orSmoke(4_000, 100)
const PAID = 50
const ROUNDS = orSmoke(41, 3)
const LIMIT_MS = 60

const network = networkOf('btc', 'regtest')
if (network === null) throw new Error('there is no regtest')
const scriptOf = (hash: Buffer): Buffer => Buffer.concat([Buffer.from([0, 0x14]), hash])
const open = Array.from({ length: ADDRESSES }, () => scriptOf(randomBytes(20)))
const set = scriptSet()
for (const script of open) set.add(script.toString('hex'))
// Inputs of announced payments, which are looked for in every block.
const waiting = outpointSet(Array.from({ length: 500 }, () => `${randomBytes(32).toString('hex')}:0`))

function transaction(n: number): { raw: Buffer; stripped: Buffer } {
  const input = (): Buffer => Buffer.concat([randomBytes(36), Buffer.from([0]), Buffer.from('fdffffff', 'hex')])
  const out = (script: Buffer): Buffer => {
    const value = Buffer.alloc(8)
    value.writeBigUInt64LE(100_000n)
    return Buffer.concat([value, Buffer.from([script.length]), script])
  }
  const first = n < PAID ? (open[n] ?? scriptOf(randomBytes(20))) : scriptOf(randomBytes(20))
  const body = [Buffer.from([2]), input(), input(), Buffer.from([2]), out(first), out(scriptOf(randomBytes(20)))]
  const witness = Buffer.concat([Buffer.from([2, 72]), randomBytes(72), Buffer.from([33]), randomBytes(33)])
  // To half a kilobyte, as a full block of this many has.
  const padding = Buffer.concat([Buffer.from([1, 0xfd, 0xdc, 0x00]), randomBytes(220)])
  const [version, lock] = [Buffer.from('02000000', 'hex'), Buffer.alloc(4)]
  return {
    raw: Buffer.concat([version, Buffer.from([0, 1]), ...body, witness, padding, lock]),
    stripped: Buffer.concat([version, ...body, lock]),
  }
}

const made = Array.from({ length: TRANSACTIONS }, (_, n) => transaction(n))
const raw = assembleWith(network, { parent: '00'.repeat(32), time: 1_700_000_000 }, made)
const costs: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const before = process.cpuUsage()
  const block = set.scan(raw, 1, waiting)
  const { user, system } = process.cpuUsage(before)
  if (block.outputs.length !== PAID) throw new Error('payments were missed')
  costs.push((user + system) / 1000)
}
// The first rounds warm the compiler up; a watcher of a chain is warm after an hour.
const warm = costs.slice(Math.min(5, ROUNDS - 1)).sort((a, b) => a - b)
const median = warm[Math.floor(warm.length / 2)] ?? 0
const worst = warm.at(-1) ?? 0
process.stdout.write(
  `${TRANSACTIONS} transactions, ${(raw.length / 1e6).toFixed(2)} MB, ${set.size} addresses: ` +
    `${median.toFixed(1)} ms of CPU (first ${(costs[0] ?? 0).toFixed(1)}, worst warm ${worst.toFixed(1)}); limit ${LIMIT_MS}\n`,
)
process.exitCode = verdict([median <= LIMIT_MS])
