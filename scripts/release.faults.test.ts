// Promises of `npm run release`: two people who make it from one commit, in other places, time zones and moods, get the same bytes; the
// source is the commit whole, the list of components names every package that the service needs, and the checksums are right.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { root } from './run-tests/files.ts'

const execute = promisify(execFile)

test('a release is the same bytes whoever makes it, and holds what it says', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'florin-release-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const isHere = await execute('git', ['rev-parse', 'HEAD'], { cwd: root }).catch(() => null)
  if (isHere === null) return t.skip('there is no git history here')
  const clone = join(dir, 'clone')
  await execute('git', ['clone', '-q', root, clone])
  const [one, two] = [join(dir, 'one'), join(dir, 'two')]
  const make = (script: string, out: string, env: Record<string, string>) =>
    execute(process.execPath, [script, '--out', out], {
      cwd: dir,
      env: { ...process.env, ...env },
      maxBuffer: 16 << 20,
    })
  await make(join(root, 'scripts/release.ts'), one, { TZ: 'Asia/Tokyo', LC_ALL: 'C' })
  await make(join(clone, 'scripts/release.ts'), two, { TZ: 'America/New_York', HOME: dir })
  const files = (await readdir(one)).sort()
  assert.equal(files.length, 4)
  assert.deepEqual((await readdir(two)).sort(), files)
  for (const file of files)
    assert.ok((await readFile(join(one, file))).equals(await readFile(join(two, file))), `${file} is the same`)
  await execute('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: one })

  const name = files.find((file) => file.endsWith('.tar.gz'))?.replace('.tar.gz', '') ?? ''
  await execute('tar', ['-xzf', join(one, `${name}.tar.gz`), '-C', dir])
  const { stdout: inCommit } = await execute('git', ['ls-tree', '-r', '--name-only', 'HEAD'], {
    cwd: root,
    maxBuffer: 16 << 20,
  })
  const { stdout: unpacked } = await execute('find', ['.', '-type', 'f', '-o', '-type', 'l'], {
    cwd: join(dir, name),
    maxBuffer: 16 << 20,
  })
  const sorted = (text: string): string[] =>
    text
      .trim()
      .split('\n')
      .map((path) => path.replace(/^\.\//, ''))
      .sort()
  assert.deepEqual(sorted(unpacked), sorted(inCommit))

  const bom = JSON.parse(await readFile(join(one, `${name}.cdx.json`), 'utf8')) as {
    bomFormat: string
    components: { name: string; version: string; hashes?: object[]; licenses?: object[] }[]
  }
  assert.equal(bom.bomFormat, 'CycloneDX')
  const listed = new Set(bom.components.map((each) => each.name))
  const { dependencies } = JSON.parse(await readFile(join(root, 'packages/server/package.json'), 'utf8'))
  for (const needed of Object.keys(dependencies))
    assert.ok(needed.startsWith('@florin/') || listed.has(needed), `${needed} is in the list`)
  for (const each of bom.components) assert.ok(each.hashes, each.name)
  // A package or two say theirs in a file alone.
  assert.ok(bom.components.filter((each) => each.licenses === undefined).length < 5)
  assert.equal(listed.has('@biomejs/biome'), false, 'what only builds and tests is not')
  const script = join(one, `${name}-image.sh`)
  await execute('sh', ['-n', script])
  await assert.rejects(execute('sh', [script, 'node:24-slim']), /named by its digest/)
})
