// Rewrites docs/api.md from the routes' own schemas: `npm run db:dump`.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiPage } from './api-page.ts'

await writeFile(join(import.meta.dirname, '../../../../docs/api.md'), await apiPage())
console.log('docs/api.md is written')
