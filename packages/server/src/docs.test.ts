import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiPage } from '../test/dump/api-page.ts'

test('docs/api.md is what the routes validate with (run `npm run db:dump` after changing one)', async () => {
  const committed = await readFile(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')
  assert.equal(await apiPage(), committed)
})
