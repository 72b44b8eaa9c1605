// GET /exit.html: the page that moves money without Florin, as a file to save. It is never run on this origin.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@florin/platform/errors'
import type { App } from '@florin/platform/http/server'
import { sendPage } from '@florin/platform/http/static'

const built = join(import.meta.dirname, '../../../exit/dist/exit.html')

export function exitPage(app: App, file = built): void {
  const html = existsSync(file) ? readFileSync(file, 'utf8') : null
  app.get('/exit.html', { schema: { hide: true } }, async (request, reply) => {
    if (html === null) {
      throw new AppError('unavailable', {
        message: 'This page is not built. Whoever runs this Florin builds it with npm start.',
      })
    }
    reply.header('Content-Disposition', 'attachment; filename="florin-exit.html"')
    return sendPage(request, reply, { html, policy: "default-src 'none'; sandbox" })
  })
}
