// The page as it is built: the test run's own build where there is one, else one in a folder of its own, so that the
// pages of a server that runs are left alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

/** @returns the folder; it goes when the process does */
export async function buildConsole(): Promise<string> {
  if (process.env.FLORIN_TEST_PAGES === 'built') return join(import.meta.dirname, '../dist')
  const outDir = mkdtempSync(join(tmpdir(), 'florin-console-'))
  process.on('exit', () => rmSync(outDir, { recursive: true, force: true }))
  await build({ root: join(import.meta.dirname, '..'), logLevel: 'error', build: { outDir, emptyOutDir: true } })
  return outDir
}
