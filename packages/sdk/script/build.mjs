// Builds the library: one file of JavaScript for import, one for require, and declarations that stand on their own.
// Plain JavaScript, so that any supported Node runs it. Usage: node script/build.mjs [folder], "dist" where left out.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const outFolder = resolve(process.argv[2] ?? join(root, 'dist'))

async function bundle(format, file) {
  await build({
    absWorkingDir: root,
    entryPoints: ['src/index.ts'],
    outfile: join(outFolder, file),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  })
}

/** Runs tsc and returns the declarations that index.d.ts reaches, by their path below packages/. */
function declarations() {
  const folder = mkdtempSync(join(tmpdir(), 'florin-sdk-'))
  try {
    const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
    const tsc = join(dirname(typescript), 'bin', 'tsc')
    const args = [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', folder]
    execFileSync(process.execPath, args, { stdio: 'inherit' })
    const found = new Map()
    const visit = (path) => {
      if (found.has(path)) return
      const text = readFileSync(join(folder, path), 'utf8')
      found.set(path, text)
      for (const [, specifier] of text.matchAll(importPattern)) visit(declarationPath(path, specifier))
    }
    visit('sdk/src/index.d.ts')
    return found
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const importPattern = /(?<=\bfrom |\bimport\()['"]([^'"]+)['"]/g

/** Where an import of one declaration leads. The protocol's names are those of its package.json. */
function declarationPath(from, specifier) {
  if (specifier === '@florin/protocol') return 'protocol/src/index.d.ts'
  if (specifier.startsWith('@florin/protocol/')) return `protocol/src/${specifier.split('/')[2]}.d.ts`
  if (specifier.startsWith('.')) return join(dirname(from), specifier.replace(/\.ts$/, '.d.ts'))
  throw new Error(`${from} imports ${specifier}: the declarations would not stand on their own.`)
}

/** The library's own declarations lie at the top, those of the protocol in a folder. */
function packedPath(path) {
  return path.replace(/^sdk\/src\//, '').replace(/^protocol\/src\//, 'protocol/')
}

function writeDeclarations(found, kind) {
  for (const [path, text] of found) {
    const rewritten = text.replace(importPattern, (_, specifier) => {
      const target = relative(dirname(packedPath(path)), packedPath(declarationPath(path, specifier)))
      return `'${target.startsWith('.') ? target : `./${target}`}'`.replace(/\.d\.ts'$/, `.${kind}js'`)
    })
    const file = join(outFolder, packedPath(path).replace(/\.d\.ts$/, `.d.${kind}ts`))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, rewritten)
  }
}

rmSync(outFolder, { recursive: true, force: true })
mkdirSync(outFolder, { recursive: true })
await Promise.all([bundle('esm', 'index.js'), bundle('cjs', 'index.cjs')])
const found = declarations()
writeDeclarations(found, '')
writeDeclarations(found, 'c')
