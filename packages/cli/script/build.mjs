// Builds the program: one file of JavaScript with the library in it, so that it runs where nothing else is installed.
// Plain JavaScript, so that any supported Node runs it. Usage: node script/build.mjs [file], "dist/florin.js" where left out.
import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPage } from '@florin/exit/page'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const outFile = resolve(process.argv[2] ?? join(root, 'dist', 'florin.js'))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

// Made beside its place and moved there, so that a program started meanwhile is never half a file.
const made = `${outFile}.${process.pid}`
mkdirSync(dirname(outFile), { recursive: true })
await build({
  absWorkingDir: root,
  entryPoints: [fileURLToPath(new URL('../src/main.ts', import.meta.url))],
  outfile: made,
  bundle: true,
  platform: 'node',
  target: 'node20.12',
  format: 'esm',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  define: {
    'process.env.FLORIN_CLI_VERSION': JSON.stringify(version),
    'process.env.FLORIN_EXIT_PAGE': JSON.stringify(await buildPage()),
  },
})
renameSync(made, outFile)
