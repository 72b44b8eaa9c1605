// Promises: no page, document or message tells people to install or run a package that nobody published: whoever registers
// its name would run code beside their secrets. Every package is private, so that none is published by accident; and
// `./florin` runs the command line of the checkout from any folder.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { root } from './run-tests/files.ts'

const isOutside = (name: string): boolean => /(^|[\\/])(node_modules|dist|data|\.git|shots)$/.test(name)
const list = (pattern: string): string[] => globSync(pattern, { cwd: root, exclude: isOutside })
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** A name of ours where a registry would be asked for it; addresses of archives and paths are something else. */
const name = String.raw`["'\`]?(?:@florin\/[\w-]+|florin(?:-[\w]+)*)(?![\w./:-])`
const options = String.raw`(?:\s+-{1,2}[\w=.-]+)*`
const fromRegistry = [
  new RegExp(String.raw`\b(?:npx|bunx|pnpx|uvx|pipx run)${options}\s+${name}`),
  new RegExp(
    String.raw`\b(?:npm|pnpm|yarn|bun|cnpm) (?:i|in|install|add|exec|x|dlx|create|init|global add)\b${options}\s+${name}`,
  ),
  new RegExp(
    String.raw`\b(?:pip3?|pipx|uv|poetry|composer|gem|cargo|brew|docker) (?:install|add|require|pull|run)\b${options}\s+${name}`,
  ),
]

test('names: the pattern finds what would ask a registry, and nothing else', () => {
  const found = (text: string): boolean => fromRegistry.some((pattern) => pattern.test(text))
  for (const text of [
    ...[
      'npx florin golive',
      'npx --yes florin',
      'npx @florin/cli doctor',
      'npm i @florin/sdk',
      'npm install -g florin',
    ],
    ...['yarn add @florin/sdk', 'pnpm dlx florin', 'bunx florin', 'pip install florin', 'composer require florin'],
    ...['npm install --save-dev "@florin/sdk"', 'npm exec -- florin'],
  ])
    assert.ok(found(text.replace(' -- ', ' ')), text)
  for (const text of [
    ...['npm install https://pay.shop.example/docs/packages/florin-sdk.tgz', './florin golive', 'florin listen'],
    ...['npm install --silent $FLORIN/docs/packages/florin-sdk.tgz', "import { Florin } from '@florin/sdk'"],
    ...['npm run deploy -w @florin/contracts', 'npm install ./florin-sdk-0.1.0.tgz', 'npx playwright'],
  ])
    assert.ok(!found(text), text)
})

test('names: pages, documents, messages → none asks a registry for a name of ours', () => {
  const files = list('**/*.{md,ts,tsx,mjs,js,html,json,yaml,yml,php,py,sh}').filter(
    (file) => !/(^CHANGELOG\.md|package-lock\.json|scripts[\\/]names\.test\.ts)$/.test(file),
  )
  assert.ok(files.length > 500)
  const wrong = [...files, '.env.example', 'Dockerfile', 'florin', '.ci/run'].flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, n) => (fromRegistry.some((pattern) => pattern.test(line)) ? [`${file}:${n + 1}: ${line}`] : [])),
  )
  assert.deepEqual(wrong, [])
})

test('names: every package is private, and no example takes one of ours from a registry', () => {
  for (const file of list('**/package.json')) {
    const manifest = JSON.parse(read(file)) as { private?: boolean } & Record<
      string,
      Record<string, string> | undefined
    >
    assert.equal(manifest.private, true, `${file} can be published`)
    if (!file.startsWith('examples')) continue
    for (const [name, from] of Object.entries(manifest.dependencies ?? {}))
      if (/^@?florin/.test(name)) assert.match(from, /^https?:/, `${file} takes ${name} from a registry`)
  }
})

test('florin: called by its path or a link from another folder → the command line of the checkout', async (t) => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'florin-elsewhere-'))
  t.after(() => rmSync(elsewhere, { recursive: true, force: true }))
  symlinkSync(join(root, 'florin'), join(elsewhere, 'pay'))
  const run = promisify(execFile)
  const { version } = JSON.parse(read('packages/cli/package.json')) as { version: string }
  for (const program of [join(root, 'florin'), './pay']) {
    const { stdout } = await run(program, ['--version'], { cwd: elsewhere })
    assert.equal(stdout, `florin ${version}\n`)
    // What can be typed is named as it was typed: a bare `florin` is not on the path of a checkout.
    const help = await run(program, ['listen', '--help'], { cwd: elsewhere })
    assert.ok(help.stdout.startsWith(`${program} listen [options]`), help.stdout)
    assert.doesNotMatch(help.stdout.replaceAll(`${program} `, ''), /(?<![\w./])florin [a-z]/)
  }
  // The exit code is the program's own.
  await assert.rejects(run('./pay', ['no-such-word'], { cwd: elsewhere }), { code: 2 })
})
