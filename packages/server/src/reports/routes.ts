// Registers what the console reads beside its orders (contract.md 5).

import type { AttentionDeps } from '../attention/acts.ts'
import { attentionRoutes } from '../attention/routes.ts'
import type { App } from '../platform/http/server.ts'
import { auditRoutes } from './audit.routes.ts'
import { exportRoutes } from './export.routes.ts'
import { feesOwedRoutes } from './fees-owed.routes.ts'
import { exportFileRoutes } from './files/routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { streamRoutes } from './stream.routes.ts'

export function reportRoutes(app: App, deps: AttentionDeps): void {
  statsRoutes(app, deps)
  attentionRoutes(app, deps)
  auditRoutes(app, deps)
  exportRoutes(app, deps)
  exportFileRoutes(app, deps)
  feesOwedRoutes(app, deps)
  streamRoutes(app, deps)
}
