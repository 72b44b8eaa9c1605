// Promises: the README shows the help as it is printed, lists every check of the doctor, and each command that it shows is one
// that the program takes. Where it has fallen behind, `node test/readme.ts` in this package writes these parts anew.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { commands } from '../src/commands.ts'
import { aPlace, packageRoot } from './program.ts'
import { brought } from './readme.ts'

const path = join(packageRoot, 'README.md')

test('the README is as the program is', async () => {
  const readme = await readFile(path, 'utf8')
  assert.equal(readme, brought(readme))
  for (const { name } of commands) assert.ok(readme.includes(`\nflorin ${name}`), `the README does not show ${name}`)
})

test('what the README shows of the help is what is printed', async (t) => {
  const place = await aPlace(t)
  const readme = await readFile(path, 'utf8')
  const { code, stdout } = await place.start(['--help']).ended
  assert.equal(code, 0)
  assert.ok(readme.includes(`\n\`\`\`text\n${stdout}\n\`\`\`\n`))
  for (const { name } of commands) {
    const help = await place.run([...name.split(' '), '--help'])
    assert.equal(help.code, 0)
    assert.ok(readme.includes(`\n\`\`\`text\n${help.stdout}\n\`\`\`\n`), name)
  }
})

test('every command in the README and in the help is one that the program takes', async (t) => {
  const place = await aPlace(t)
  const readme = await readFile(path, 'utf8')
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block).join('')
  const shown = [...blocks.split('\n'), ...commands.flatMap(({ examples }) => examples)]
  const lines = shown.map((line) => /(?:^|\()florin ([^)]*)/.exec(line)?.[1]).filter((line) => line !== undefined)
  assert.ok(lines.length > 20)
  for (const line of new Set(lines)) {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
    const { code, stderr } = await place.run([...words, '--help'])
    assert.deepEqual([code, stderr], [0, ''], `florin ${line}`)
  }
})

test('help fits on a screen, whichever way it is asked for', async (t) => {
  const place = await aPlace(t)
  const overview = (await place.run(['--help'])).stdout
  assert.ok(overview.split('\n').length <= 32)
  for (const line of overview.split('\n')) assert.ok(line.length <= 120, line)
  assert.equal((await place.run(['-h'])).stdout, overview)
  assert.equal((await place.run(['help'])).stdout, overview)
  const nothing = await place.run([])
  assert.deepEqual([nothing.code, nothing.stdout], [2, overview])
  const orders = (await place.run(['orders', 'list', '--help'])).stdout
  for (const words of [
    ['help', 'orders', 'list'],
    ['orders', 'list', '-h'],
  ])
    assert.equal((await place.run(words)).stdout, orders)
  const group = await place.run(['deliveries'])
  assert.equal(group.code, 2)
  assert.match(group.stdout, /^florin deliveries list +List webhook deliveries/)
  assert.equal((await place.run(['help', 'deliveries'])).stdout, group.stdout)
})
