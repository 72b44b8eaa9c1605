#!/usr/bin/env node
// Starts the program, which lies beside it built into one file. In a checkout that is not built yet it builds it first: npm links
// only what is there when it installs, so the name `florin` must not lead to a file that is made later.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = new URL('../dist/florin.js', import.meta.url)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 12)) fail(`florin needs Node 20.12 or newer; this is ${process.version}.`)
if (!existsSync(program)) build()
await import(program.href)

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
