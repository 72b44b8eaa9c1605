// Owns the list of features and who guards them: one line a feature. Everything a request can reach stands here.
import type { Deps } from './deps.ts'
import { healthRoutes, type ReadinessCheck } from './health.ts'
import { useConsoleGuard } from './login/guard.ts'
import { loginRoutes } from './login/routes.ts'
import { useApiDocs } from './platform/http/docs.ts'
import { type App, makeServer } from './platform/http/server.ts'

export async function buildApp(deps: Deps, readiness: Readonly<Record<string, ReadinessCheck>> = {}): Promise<App> {
  const { config } = deps
  const app = await makeServer({
    log: deps.log,
    clock: deps.clock,
    trustProxy: config.trustProxy,
    rateLimits: config.rateLimits,
    isHttps: config.baseUrl.startsWith('https:'),
  })
  await useApiDocs(app, config.baseUrl)

  useConsoleGuard(app, deps)

  loginRoutes(app, deps)
  healthRoutes(app, deps, readiness)
  return app
}
