// Builds the exit page: one HTML file with script and style in it, which no policy but its own lets run and which may ask
// no address for anything. Plain JavaScript, so that any supported Node runs it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'page')

/** @returns {Promise<string>} the same text for the same sources */
export async function buildPage() {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [join(folder, 'main.ts')],
    write: false,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  })
  const script = outputFiles[0]?.text.trim() ?? ''
  if (script.includes('</')) throw new Error('the script would end its own element')
  const style = readFileSync(join(folder, 'page.css'), 'utf8').trim()
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const parts = { POLICY: policy, STYLE: style, SCRIPT: script }
  return readFileSync(join(folder, 'page.html'), 'utf8').replace(
    /(?:\/\*)?__(POLICY|STYLE|SCRIPT)__(?:\*\/)?/g,
    (_all, name) => parts[name],
  )
}

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
