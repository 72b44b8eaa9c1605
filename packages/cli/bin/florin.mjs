#!/usr/bin/env node
// Starts the program, which lies beside it built into one file. In a checkout it is built first where it is not built yet (npm links
// only what is there when it installs) or is older than what it is made of, as after an update: then it would lack commands.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = new URL('../dist/florin.js', import.meta.url)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 12)) fail(`florin needs Node 20.12 or newer; this is ${process.version}.`)
if (!existsSync(program) || isOlder()) build()
await import(program.href)

function isOlder() {
  // What is installed from the archive has no sources beside it.
  if (!existsSync(new URL('../src/main.ts', import.meta.url))) return false
  const made = statSync(program).mtimeMs
  const root = fileURLToPath(new URL('..', import.meta.url))
  const folders = ['src', '../sdk/src', '../protocol/src', '../exit/src', '../exit/page'].map((name) =>
    join(root, name),
  )
  const files = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
    )
  return files.some((file) => statSync(file).mtimeMs > made)
}

function build() {
  try {
    execFileSync(process.execPath, [fileURLToPath(new URL('../script/build.mjs', import.meta.url))], { stdio: 'pipe' })
  } catch {
    fail('florin is not built yet. In the repository, run: npm ci && npm run build -w packages/cli')
  }
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
