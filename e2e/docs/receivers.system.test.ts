// Promises: every receiver of examples/ works as it stands, alone in an empty folder with its framework from npm: the webhooks of an order
// are verified, and what is forged is refused.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Florin, startFlorin } from '../florin.ts'
import { signUpPrinted } from './newcomer.ts'
import { walkExample } from './receivers.ts'

const examples = join(import.meta.dirname, '../../examples')
const table = [
  ...(await readFile(join(examples, 'README.md'), 'utf8')).matchAll(
    /^\| `(receiver-[\w-]+)` +\|.*\| `npm (?:run )?(\w+)` +\|$/gm,
  ),
].map(([, name = '', script = '']) => ({ name, script }))

let florin: Florin
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-examples-'))
  florin = await startFlorin()
})
after(async () => {
  await florin?.close()
  await rm(folder, { recursive: true, force: true })
})

test('the table of the examples has every receiver', async () => {
  const folders = (await readdir(examples)).filter((name) => name.startsWith('receiver-'))
  assert.deepEqual(table.map(({ name }) => name).toSorted(), folders.toSorted())
})

for (const { name, script } of table) {
  test(`${name} takes the webhooks of an order`, async (t) => {
    const merchant = await signUpPrinted(florin, `${name}@shop.example`)
    await walkExample(t, { florin, folder, name, script, merchant })
  })
}
