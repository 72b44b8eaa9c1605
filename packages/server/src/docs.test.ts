import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiPages } from '../test/dump/api-page.ts'

test('docs/api.md and docs/openapi.json are what the routes validate with (run `npm run db:dump` after changing one)', async () => {
  const docs = join(import.meta.dirname, '../../../docs')
  const { page, document } = await apiPages()
  assert.equal(page, await readFile(join(docs, 'api.md'), 'utf8'))
  assert.equal(document, await readFile(join(docs, 'openapi.json'), 'utf8'))
})
