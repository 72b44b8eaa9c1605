// Rewrites docs/api.md and docs/openapi.json from the routes' own schemas: `npm run db:dump`.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiPages } from './api-page.ts'

const { page, document } = await apiPages()
const docs = join(import.meta.dirname, '../../../../docs')
await writeFile(join(docs, 'api.md'), page)
await writeFile(join(docs, 'openapi.json'), document)
console.log('docs/api.md and docs/openapi.json are written')
