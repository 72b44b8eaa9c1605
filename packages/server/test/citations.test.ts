// What a comment cites can be read: a document in docs/, and the section of the contract that it names.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../../..')
const places = '{packages,e2e,bench,scripts}/**/*.{ts,tsx,mjs,sql,sol,css}'
const isForeign = (name: string): boolean => /(^|[\\/])(node_modules|dist|abi)$/.test(name)

const sections = new Set(
  [...readFileSync(join(root, 'docs/contract.md'), 'utf8').matchAll(/^#+ (\d(?:\.\d)?)\.? /gm)].map(
    (found) => found[1],
  ),
)

/** "contract.md 4.1 and 4.4", "contract.md 1 to 5": the numbers behind the name. */
function citedSections(text: string): string[] {
  return [...text.matchAll(/contract\.md ((?:\d(?:\.\d)?(?:, | and | to |-)?)+)/g)].flatMap((found) =>
    [...(found[1] ?? '').matchAll(/\d(?:\.\d)?/g)].map((number) => number[0]),
  )
}

test('every document and every section of the contract that code cites is there', () => {
  assert.ok(sections.size >= 14, 'the contract has numbered sections')
  const broken: string[] = []
  let cited = 0
  for (const file of globSync(places, { cwd: root, exclude: isForeign })) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const number of citedSections(text)) {
      cited += 1
      if (!sections.has(number)) broken.push(`${file} cites contract.md ${number}`)
    }
    for (const found of text.matchAll(/\b([a-z-]+\.md) \d/g))
      if (!existsSync(join(root, 'docs', found[1] ?? ''))) broken.push(`${file} cites ${found[1]}`)
  }
  assert.ok(cited > 50, `${cited} citations were found`)
  assert.deepEqual(broken, [])
})

/** Of these files every test is an attack. */
const attacks = [
  'packages/server/src/addresses/theft.test.ts',
  'packages/server/src/login/accounts/accounts.test.ts',
  'packages/server/src/login/confirmation.test.ts',
  'packages/server/src/login/sign-in.test.ts',
  'packages/server/src/login/strangers/strangers.test.ts',
]

test('every attack on sign-in and the console session stands in security.md, under the name of its test', () => {
  const named = new Map<string, string[]>()
  let file = ''
  for (const line of readFileSync(join(root, 'docs/security.md'), 'utf8').split('\n')) {
    file = /^### `(.+)`$/.exec(line)?.[1] ?? file
    const title = /^- .+: "(.+)"$/.exec(line)?.[1]
    if (title !== undefined) named.set(file, [...(named.get(file) ?? []), title])
  }
  const titlesIn = (path: string): string[] =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/^(?:test|slowTest)\(\s*(['"`])(.*)\1,\s/gm)].map(
      (found) => found[2] ?? '',
    )
  for (const path of attacks) assert.deepEqual(named.get(path)?.toSorted(), titlesIn(path).toSorted(), path)
  for (const [path, titles] of named) {
    const there = titlesIn(path)
    assert.deepEqual(
      titles.filter((title) => !there.includes(title)),
      [],
      path,
    )
  }
})
