// Promises: there is one seed, whoever starts first; it outlives every change of the master key; a person takes it out by
// one command, and until then the start says so.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { readJournal, readSeed, refOf, writeSeed } from '@florin/exit/journal'
import { checkMasterKey } from '@florin/platform/db/master-key'
import { reseal } from '@florin/platform/db/reseal'
import { OperatorError } from '@florin/platform/errors'
import { makeSecrets } from '@florin/platform/secrets'
import { hasShownVault } from '@florin/rail-evm/address/vaults.store'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { masterKeyOf } from '../../test/deploy/master-keys.ts'
import { ownDatabase, testDeps } from '../../test/harness.ts'
import { sealedTables } from '../sealed.ts'
import { checkJournalFolder } from './journal.ts'
import { abandonSeed, findSeed, sealedSeed } from './seed.store.ts'
import { ensureSeed, importSeed } from './seed.ts'

const FIRST = masterKeyOf('first')
const SECOND = masterKeyOf('second')
/** With what Node compiled of the command before. */
const usual = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

async function aFolder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'florin-recovery-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  return dir
}

test('of processes that start at once all have the same seed, and no start makes another', async (t) => {
  const { deps, clock } = await testDeps(t)
  const seeds = await Promise.all([1, 2, 3].map(() => ensureSeed(deps.sql, deps.secrets, clock.now())))
  seeds.push(await ensureSeed(deps.sql, deps.secrets, clock.now()))
  for (const { seed, exportedAt } of seeds) {
    assert.deepEqual(seed, seeds[0]?.seed)
    assert.equal(exportedAt, null)
  }
  assert.ok(new Set(seeds[0]?.seed).size > 8, 'random bytes')
})

test('a change of the master key keeps the seed; without the key it was sealed with the start is refused', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const now = clock.now()
  const { seed } = await ensureSeed(sql, makeSecrets(FIRST), now)
  const both = makeSecrets(SECOND, FIRST)
  await checkMasterKey(sql, both, { rows: sealedTables, now })
  assert.deepEqual(await reseal({ sql, clock, secrets: both }, sealedSeed, () => undefined), {
    moved: 1,
    unreadable: 0,
  })
  assert.deepEqual(await reseal({ sql, clock, secrets: both }, sealedSeed, () => undefined), {
    moved: 0,
    unreadable: 0,
  })
  assert.deepEqual((await ensureSeed(sql, makeSecrets(SECOND), now)).seed, seed)
  await assert.rejects(ensureSeed(sql, makeSecrets(FIRST), now), /not known here/)
  const others = { rows: sealedTables, now }
  await sql`delete from master_key_check`
  await assert.rejects(checkMasterKey(sql, makeSecrets(FIRST), others), /1 recovery seeds are sealed with master key/)
  const keyId = (await findSeed(sql))?.keyId ?? ''
  assert.equal(await abandonSeed(sql, makeSecrets(FIRST).keyId), false)
  assert.equal(await abandonSeed(sql, keyId), true)
  assert.notDeepEqual((await ensureSeed(sql, makeSecrets(FIRST), now)).seed, seed)
})

test('the command prints the seed, to the terminal or into a file that only its owner reads', async (t) => {
  const databaseUrl = await ownDatabase(t)
  const { deps, clock } = await testDeps(t, {}, databaseUrl)
  const { seed } = await ensureSeed(deps.sql, makeSecrets(FIRST), clock.now())
  const dir = await aFolder(t)
  const recovery = (...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'command.ts'), ...args], {
      env: { ...usual, DATABASE_URL: databaseUrl, MASTER_KEY: FIRST, JOURNAL_DIR: join(dir, 'journal') },
      encoding: 'utf8',
    })
  const first = recovery('export')
  assert.equal(first.status, 0, first.stderr)
  assert.deepEqual(readSeed(first.stdout), seed)
  assert.ok(!first.stderr.includes('exported before'))
  const exportedAt = (await findSeed(deps.sql))?.exportedAt
  assert.ok(exportedAt)
  const file = join(dir, 'seed.txt')
  const second = recovery('export', '--out', file)
  assert.match(second.stderr, /exported before, first on/)
  assert.deepEqual([second.stdout, readSeed(await readFile(file, 'utf8'))], ['', seed])
  assert.equal((await stat(file)).mode & 0o077, 0)
  assert.deepEqual((await findSeed(deps.sql))?.exportedAt, exportedAt)
  for (const args of [['import'], ['journal', file], ['print']]) assert.equal(recovery(...args).status, 1)
  const wrong = recovery('import')
  assert.match(wrong.stderr, /Say what: npm run recovery -- export/)
  const again = recovery('journal')
  assert.match(again.stderr, /^0 addresses are in the journal/)
})

test('a folder that no journal can be kept in refuses the start, with the cure', async (t) => {
  const dir = await aFolder(t)
  const file = join(dir, 'file')
  await writeFile(file, '')
  await assert.rejects(checkJournalFolder(file), (error: unknown) => {
    assert.ok(error instanceof OperatorError)
    assert.match(error.message, /The journal cannot be kept in .*: set JOURNAL_DIR to a folder/)
    return true
  })
  await checkJournalFolder(join(dir, 'made', 'on', 'the', 'way'))
  assert.deepEqual((await readJournal(join(dir, 'made'), new Uint8Array(32))).entries, [])
})

slowTest(
  'a new install takes the seed of a lost one: the same references, the same addresses, one journal',
  async (t) => {
    const { deps: old } = await testDeps(t)
    const lost = await ensureSeed(old.sql, makeSecrets(FIRST), old.clock.now())
    const dir = await aFolder(t)
    const file = join(dir, 'seed.txt')
    await writeFile(file, `${writeSeed(lost.seed)}\n`)
    const databaseUrl = await ownDatabase(t)
    const { deps } = await testDeps(t, {}, databaseUrl)
    const { sql, clock } = deps
    // The start made one of its own, which nobody has used.
    const own = await ensureSeed(sql, makeSecrets(SECOND), clock.now())
    assert.notDeepEqual(own.seed, lost.seed)
    const recovery = (...args: string[]) =>
      spawnSync(process.execPath, [join(import.meta.dirname, 'command.ts'), ...args], {
        env: { ...usual, DATABASE_URL: databaseUrl, MASTER_KEY: SECOND, JOURNAL_DIR: join(dir, 'journal') },
        encoding: 'utf8',
      })
    const bad = recovery('import', join(dir, 'none.txt'))
    assert.deepEqual([bad.status, /holds no recovery seed/.test(bad.stderr)], [1, true])
    const taken = recovery('import', file)
    assert.equal(taken.status, 0, taken.stderr)
    const { seed, exportedAt } = await ensureSeed(sql, makeSecrets(SECOND), clock.now())
    assert.deepEqual(seed, lost.seed)
    assert.ok(exportedAt, 'it came from its copy')
    assert.equal(refOf(seed, 'a leg'), refOf(lost.seed, 'a leg'))

    // Once an address was shown another one is refused, and the same one is nothing new.
    const now = clock.now()
    await sql`
    insert into forwarder_vaults (leg_ref, order_ref, chain, livemode, vault, factory, impl, route, asset, contract,
      decimals, amount_due, opened, deadline, hot_until, watch_until, created_at)
    values ('leg', 'order', 'base', false, '0x0a', '0x0b', '0x0c', '{}', 'USDC', null, 6, 1, '{}', ${now}, ${now}, ${now}, ${now})`
    const secrets = makeSecrets(SECOND)
    await importSeed(sql, secrets, { seed: lost.seed, now, hasShown: hasShownVault })
    await assert.rejects(
      importSeed(sql, secrets, { seed: own.seed, now, hasShown: hasShownVault }),
      /shown here under another seed/,
    )
    assert.deepEqual((await ensureSeed(sql, secrets, now)).seed, lost.seed)
  },
)
