// The list of features and who guards them: one line a feature. Everything a request can reach stands here.
import { join } from 'node:path'
import { blockerFinder } from '@florin/platform/db/blocker'
import { metricsRoute } from '@florin/platform/http/metrics'
import { type App, makeServer } from '@florin/platform/http/server'
import { useApiDocs } from '@florin/platform/http/site/docs'
import { securityTxtRoute } from '@florin/platform/http/site/security-txt'
import { serveSinglePage } from '@florin/platform/http/static'
import { makeSharedLimits } from '@florin/platform/limits/limits'
import { mailLinkRoutes } from '@florin/platform/mail/links'
import { releaseCommit, releaseVersion } from '@florin/platform/release'
import { railCatalogue } from '@florin/rail-kit/catalogue'
import { UNDO_ACCOUNT } from './addresses/account-settings.ts'
import { accountUndo } from './addresses/account-undo.ts'
import { catalogueRoutes } from './addresses/catalogue.ts'
import { UNDO_ADDRESS } from './addresses/change.ts'
import { addressRoutes } from './addresses/routes.ts'
import { thirdPartyUndo, UNDO_THIRD_PARTY } from './addresses/third-party.change.ts'
import { thirdPartyRoutes } from './addresses/third-party.routes.ts'
import { addressUndo } from './addresses/undo.ts'
import { brandRoutes } from './brand/routes.ts'
import { tokenDoor } from './checkout/door/token.ts'
import { checkoutPages } from './checkout/page.routes.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import type { Deps } from './deps.ts'
import { healthRoutes, type ReadinessParts } from './health.ts'
import { UNDO_KEY } from './keys/change.ts'
import { useKeyGuard } from './keys/guard.ts'
import { keyRoutes } from './keys/routes.ts'
import { keysOfEnded, keyUndo } from './keys/undo.ts'
import { emailLinks } from './login/accounts/email-links.ts'
import { END_SESSION } from './login/confirm.ts'
import { endingTheAsker, sessionEnd } from './login/end-session.ts'
import { useConsoleGuard } from './login/guard.ts'
import { defaultChainUndo, UNDO_DEFAULT_CHAIN } from './login/merchant.ts'
import { loginRoutes } from './login/routes.ts'
import { mailRoutes } from './mails/routes.ts'
import { finishDocument } from './openapi/finish.ts'
import { consoleOrderRoutes } from './orders/console.routes.ts'
import { reconcileRoutes } from './orders/reconcile/routes.ts'
import { orderRoutes } from './orders/routes.ts'
import { packageRoutes } from './packages.ts'
import { currencyRoutes } from './prices/routes.ts'
import { exitPage } from './recovery/page.routes.ts'
import { goLiveRoutes } from './reports/golive.routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { invoiceRoutes } from './selling/invoices/routes.ts'
import { linkRoutes } from './selling/links/routes.ts'
import { invoicePages } from './selling/page/invoice-routes.ts'
import { makeLooks } from './selling/page/look.ts'
import { linkPages } from './selling/page/routes.ts'
import { webhookRoutes } from './webhooks/log/routes.ts'

const consoleDist = join(import.meta.dirname, '../../console/dist')
const docsDist = join(import.meta.dirname, '../../docs/dist')

export async function buildApp(
  deps: Deps,
  readiness: ReadinessParts = { required: () => [], others: () => [] },
): Promise<App> {
  const { config } = deps
  const app = await makeServer({
    log: deps.log,
    clock: deps.clock,
    trustProxy: config.trustProxy,
    rateLimits: config.rateLimits,
    requestsPerMinute: config.requestsPerMinute.address,
    isHttps: config.baseUrl.startsWith('https:'),
    isLoopbackInstall: config.isLoopbackInstall,
    accessLog: config.accessLog,
    findBlocker: blockerFinder(deps.lists),
  })
  await useApiDocs(app, { baseUrl: config.baseUrl, finish: finishDocument, site: docsDist })
  await packageRoutes(app)

  useConsoleGuard(app, deps)
  useKeyGuard(app, deps, config.rateLimits ? makeSharedLimits(deps, config.requestsPerMinute) : null)

  loginRoutes(app, deps)
  keyRoutes(app, deps)
  addressRoutes(app, deps, () => railCatalogue(deps.rails))
  thirdPartyRoutes(app, deps)
  await brandRoutes(app, deps)
  catalogueRoutes(app, deps, () => railCatalogue(deps.rails))
  orderRoutes(app, deps)
  webhookRoutes(app, deps)
  consoleOrderRoutes(app, deps)
  reconcileRoutes(app, { sql: deps.lists })
  const door = tokenDoor(deps)
  checkoutRoutes(app, deps, door)
  await checkoutPages(app, deps, door)
  linkRoutes(app, deps)
  const looks = makeLooks(deps)
  await linkPages(app, deps, looks)
  invoiceRoutes(app, deps)
  await invoicePages(app, deps, looks)
  exitPage(app)
  await serveSinglePage(app, consoleDist, '/console')
  currencyRoutes(app, deps)
  reportRoutes(app, { ...deps, sql: deps.lists })
  goLiveRoutes(app, deps)
  await mailLinkRoutes(
    app,
    deps,
    {
      [UNDO_ADDRESS]: endingTheAsker(addressUndo(deps)),
      [UNDO_ACCOUNT]: endingTheAsker(accountUndo),
      [UNDO_THIRD_PARTY]: endingTheAsker(thirdPartyUndo(deps)),
      [UNDO_KEY]: endingTheAsker(keyUndo),
      [UNDO_DEFAULT_CHAIN]: endingTheAsker(defaultChainUndo(deps)),
      [END_SESSION]: sessionEnd(deps),
      ...emailLinks(deps),
    },
    (tx, link, now) => keysOfEnded(deps, tx, link, now),
  )
  await mailRoutes(app, deps)
  healthRoutes(app, deps, readiness)
  securityTxtRoute(app, deps)
  metricsRoute(app, config, {
    version: releaseVersion,
    commit: releaseCommit,
    mode: config.mode,
    folders: { data: config.dataDir, journal: config.journalDir },
    databaseTrouble: () => deps.databaseTrouble().catch(() => 'not reachable'),
  })
  return app
}
