// The committed ABIs and bytecode are what the Solidity sources compile to.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { slowTest } from '../../../scripts/sizes.ts'
import { generateFiles, packageRoot } from '../script/compile.ts'
import { payFactoryRuntime } from '../src/index.ts'

slowTest('compiling again writes the same files, and there are no others', () => {
  const files = generateFiles()
  for (const [path, text] of files) {
    const committed = readFileSync(join(packageRoot, path), 'utf8')
    assert.ok(committed === text, `${path} is stale: run "npm run compile -w @florin/contracts"`)
  }
  const present = ['abi', 'test/abi'].flatMap((folder) =>
    readdirSync(join(packageRoot, folder)).map((n) => `${folder}/${n}`),
  )
  assert.deepEqual(present.sort(), [...files.keys()].sort())
})

it('the factory fits the code size limit with half of it to spare', () => {
  assert.ok((payFactoryRuntime.code.length - 2) / 2 < 24_576 / 2)
})
