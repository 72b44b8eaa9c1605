// Builds the library: for each entry one file of JavaScript for import, one for require, and declarations that stand on their own.
// Plain JavaScript, so that any supported Node runs it. Usage: node script/build.mjs [folder], "dist" where left out.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { isolatedDeclarationSync } from 'rolldown/experimental'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The whole library, and what of it needs nothing of Node. */
const entries = ['index', 'web']
const outFolder = resolve(process.argv[2] ?? join(root, 'dist'))

async function bundle(entry, format, file) {
  await build({
    absWorkingDir: root,
    entryPoints: [`src/${entry}.ts`],
    outfile: join(made, file),
    bundle: true,
    platform: 'node',
    target: 'node18',
    format,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  })
}

/**
 * The declarations that index.d.ts reaches, by their path below packages/. They are written file by file from what each
 * says of itself (isolatedDeclarations), so that a merchant's installation of Florin can make them without a compiler.
 */
function declarations() {
  const found = new Map()
  const visit = (path) => {
    if (found.has(path)) return
    const source = join(root, '..', path.replace(/\.d\.ts$/, '.ts'))
    const { code, errors } = isolatedDeclarationSync(source, readFileSync(source, 'utf8'), { stripInternal: true })
    // A limit made of others has no type of its own to write; nothing of the library's shows one.
    if (errors.length > 0 && !path.endsWith('protocol/src/limits.d.ts'))
      throw new Error(errors.map((error) => error.codeframe ?? error.message).join('\n'))
    found.set(path, code)
    for (const [, specifier] of code.matchAll(importPattern)) visit(declarationPath(path, specifier))
  }
  for (const entry of entries) visit(`sdk/src/${entry}.d.ts`)
  return found
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
    const file = join(made, packedPath(path).replace(/\.d\.ts$/, `.d.${kind}ts`))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, rewritten)
  }
}

// Made beside its place and moved there, so that nobody finds half a library.
const made = `${outFolder}.${process.pid}`
mkdirSync(made, { recursive: true })
await Promise.all(
  entries.flatMap((entry) => [bundle(entry, 'esm', `${entry}.js`), bundle(entry, 'cjs', `${entry}.cjs`)]),
)
const found = declarations()
writeDeclarations(found, '')
writeDeclarations(found, 'c')
rmSync(outFolder, { recursive: true, force: true })
renameSync(made, outFolder)
const sizes = entries.map((entry) => {
  const size = gzipSync(readFileSync(join(outFolder, `${entry}.js`)), { level: 9 }).length
  return `${entry}.js ${(size / 1000).toFixed(1)} kB`
})
console.log(`the library is built; compressed: ${sizes.join(', ')}`)
