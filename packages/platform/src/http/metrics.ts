// GET /metrics (contract.md 9): open on a loopback install, elsewhere behind METRICS_TOKEN; 404 when that is not set.
import { AppError } from '../errors.ts'
import { type Measured, measureProcess } from '../measure/process.ts'
import { metrics } from '../metrics.ts'
import { equalSecret } from '../secrets.ts'
import type { App } from './server.ts'

export function metricsRoute(
  app: App,
  config: { isLoopbackInstall: boolean; metricsToken: string | null },
  measured: Measured,
): void {
  const { isLoopbackInstall, metricsToken } = config
  if (!isLoopbackInstall && metricsToken === null) return
  measureProcess(measured)
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    // Constant-time comparison, even without a token in the request.
    if (!isLoopbackInstall && !equalSecret(given, metricsToken ?? '')) {
      reply.header('WWW-Authenticate', 'Bearer')
      throw new AppError('invalid_token', { message: 'Send METRICS_TOKEN as "Authorization: Bearer <token>".' })
    }
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}
