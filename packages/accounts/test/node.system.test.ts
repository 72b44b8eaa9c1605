// Litecoin Core derives the same addresses: 1,000 random descriptors of the kinds it knows.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { HDKey } from '@scure/bip32'
import { needsDebian } from '../../server/test/debian.ts'
import { deriveAddresses, openAccount } from '../src/index.ts'
import { withVersion } from './wallet.ts'

const DESCRIPTORS = 1_000

type Call = (calls: readonly { method: string; params: unknown[] }[]) => Promise<{ result: unknown; error: unknown }[]>

async function litecoind(t: TestContext): Promise<Call> {
  await needsDebian('litecoind')
  const folder = await mkdtemp(join(tmpdir(), 'florin-litecoind-'))
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const address = free.address()
  assert.ok(address !== null && typeof address === 'object')
  free.close()
  const node = spawn(
    '/usr/bin/litecoind',
    [
      '-regtest',
      `-datadir=${folder}`,
      '-listen=0',
      '-disablewallet',
      `-rpcport=${address.port}`,
      '-rpcbind=127.0.0.1',
      '-rpcallowip=127.0.0.1',
    ],
    { stdio: 'ignore' },
  )
  const exited = once(node, 'exit')
  t.after(async () => {
    node.kill('SIGTERM')
    await exited
    await rm(folder, { recursive: true, force: true })
  })
  const call: Call = async (calls) => {
    const cookie = await readFile(join(folder, 'regtest', '.cookie'), 'utf8')
    const answer = await fetch(`http://127.0.0.1:${address.port}/`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(cookie).toString('base64')}` },
      body: JSON.stringify(calls.map((one, id) => ({ ...one, id }))),
    })
    return (await answer.json()) as { result: unknown; error: unknown }[]
  }
  for (let tries = 0; ; tries++) {
    const [answer] = await call([{ method: 'getblockcount', params: [] }]).catch(() => [])
    if (answer?.result === 0) return call
    assert.ok(tries < 600, 'the node has not started within a minute')
    await wait(100)
  }
}

test('1,000 random descriptors give what the node gives', { timeout: 300_000 }, async (t) => {
  const call = await litecoind(t)
  const forms = ['pkh', 'wpkh', 'sh-wpkh'] as const
  const descriptors = Array.from({ length: DESCRIPTORS }, (_, n) => {
    const chance = createHash('sha512').update(`descriptor ${n}`).digest()
    const script = forms[n % forms.length] ?? 'pkh'
    const steps = Array.from({ length: (chance[0] ?? 0) % 4 }, (_, at) => chance.readUInt32BE(4 * at + 4) % 2 ** 31)
    const tpub = withVersion(
      HDKey.fromMasterSeed(chance.subarray(32)).derive("m/84'/1'/0'").publicExtendedKey,
      '043587cf',
    )
    const origin = (chance[1] ?? 0) % 2 === 0 ? '' : '[0a0b0c0d/84h/1h/0h]'
    const inner = `${origin}${tpub}${steps.map((step) => `/${step}`).join('')}/*`
    const from = chance.readUInt32BE(24) % (2 ** 31 - 2)
    const text = script === 'sh-wpkh' ? `sh(wpkh(${inner}))` : `${script}(${inner})`
    return { from, account: openAccount(text, { chain: 'ltc', network: 'regtest' }) }
  })
  const theirs = await call(
    descriptors.map(({ account, from }) => ({
      method: 'deriveaddresses',
      params: [account.descriptor, [from, from + 1]],
    })),
  )
  descriptors.forEach(({ account, from }, n) => {
    assert.equal(theirs[n]?.error, null, account.descriptor)
    const ours = deriveAddresses(account, from, 2).map(({ address }) => address)
    assert.deepEqual(ours, theirs[n]?.result, account.descriptor)
  })
})
