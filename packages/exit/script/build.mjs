// Writes dist/exit.html, which the service hands out.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPage } from './page.mjs'

const file = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'exit.html')
mkdirSync(dirname(file), { recursive: true })
writeFileSync(`${file}.${process.pid}`, await buildPage())
renameSync(`${file}.${process.pid}`, file)
