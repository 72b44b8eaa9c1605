// Hands out what merchants install, as npm packed it (scripts/pack.mjs): nothing is published anywhere else yet. A name
// without its version leads to the archive of this release.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '@florin/platform/http/server'
import { serveBuiltFiles } from '@florin/platform/http/static'

const packed = join(import.meta.dirname, '../../../dist/packages')
const PREFIX = '/docs/packages/'

interface Archive {
  name: string
  file: string
}

export async function packageRoutes(app: App, folder: string = packed): Promise<void> {
  const list = join(folder, 'index.json')
  if (!existsSync(list)) return
  await serveBuiltFiles(app, folder, PREFIX)
  const { packages } = JSON.parse(readFileSync(list, 'utf8')) as { packages: Archive[] }
  for (const { name, file } of packages) {
    // @florin/sdk → florin-sdk.tgz
    app.get(`${PREFIX}${name.replace('@', '').replace('/', '-')}.tgz`, { schema: { hide: true } }, (_request, reply) =>
      reply.redirect(PREFIX + file),
    )
  }
}
