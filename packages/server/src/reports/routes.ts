// Registers what the console reads beside its orders (contract.md 5).

import { makePacedAnswers } from '@florin/platform/http/paced'
import type { App } from '@florin/platform/http/server'
import type { AttentionDeps } from '../decisions/acts.ts'
import { attentionRoutes } from '../decisions/routes.ts'
import { auditRoutes } from './audit.routes.ts'
import { exportRoutes } from './export.routes.ts'
import { feesOwedRoutes } from './fees-owed.routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { streamRoutes } from './stream.routes.ts'

/** Exports of a process. They are long reads of the database, and rest half of the time, so that lists have two of four connections. */
const EXPORTS = { perHolder: 2, secondBelow: 4, perProcess: 16, readAtOnce: 4 } as const

export function reportRoutes(app: App, deps: AttentionDeps): void {
  statsRoutes(app, deps)
  attentionRoutes(app, deps)
  auditRoutes(app, deps)
  exportRoutes(app, deps, makePacedAnswers(deps, EXPORTS))
  feesOwedRoutes(app, deps)
  streamRoutes(app, deps)
}
