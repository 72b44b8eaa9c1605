// A build for one test file: in a folder of its own, so that the pages of a server that runs are left alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

/** @returns the folder; it goes when the process does */
export async function buildPage(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'florin-checkout-'))
  process.on('exit', () => rmSync(outDir, { recursive: true, force: true }))
  const root = join(import.meta.dirname, '../..')
  await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true } })
  return outDir
}
