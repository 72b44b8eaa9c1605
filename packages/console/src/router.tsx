// Which page stands at which address. Each page is a chunk of its own, loaded when it is first gone to; whoever is
// not signed in is sent to sign in and back.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { parseOrderSearch } from './orders/search.ts'
import { parseRangeSearch } from './overview/range.ts'
import { parseInvoiceSearch, parseSellSearch } from './selling/search.ts'
import { session } from './session.ts'
import { NotFound, PageError } from './shell/fallback.tsx'
import { Shell } from './shell/shell.tsx'
import { parseDeliverySearch } from './webhooks/search.ts'

const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageError })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search.next === 'string' ? { next: search.next } : {},
  component: lazyRouteComponent(() => import('./login/page.tsx')),
})

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: ({ location }) => {
    if (session.get() !== null) return
    const next = location.href === '/' ? {} : { next: location.href }
    throw redirect({ to: '/login', search: next })
  },
  component: Shell,
})

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  validateSearch: parseRangeSearch,
  component: lazyRouteComponent(() => import('./overview/page.tsx')),
})
const setup = createRoute({
  getParentRoute: () => shell,
  path: '/setup',
  component: lazyRouteComponent(() => import('./overview/setup-page.tsx')),
})
const orders = createRoute({
  getParentRoute: () => shell,
  path: '/orders',
  validateSearch: parseOrderSearch,
  component: lazyRouteComponent(() => import('./orders/page.tsx')),
})
const order = createRoute({
  getParentRoute: () => shell,
  path: '/orders/$orderNo',
  component: lazyRouteComponent(() => import('./orders/order-page.tsx')),
})
const addresses = createRoute({
  getParentRoute: () => shell,
  path: '/addresses',
  component: lazyRouteComponent(() => import('./addresses/page.tsx')),
})
const keys = createRoute({
  getParentRoute: () => shell,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys/page.tsx')),
})
const key = createRoute({
  getParentRoute: () => shell,
  path: '/keys/$id',
  component: lazyRouteComponent(() => import('./keys/key-page.tsx')),
})
const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks',
  validateSearch: parseDeliverySearch,
  component: lazyRouteComponent(() => import('./webhooks/page.tsx')),
})
const endpoints = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks/endpoints',
  component: lazyRouteComponent(() => import('./webhooks/endpoints-page.tsx')),
})
const replay = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks/replay',
  component: lazyRouteComponent(() => import('./webhooks/replay-page.tsx')),
})
const checker = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks/check',
  component: lazyRouteComponent(() => import('./webhooks/check-page.tsx')),
})
const delivery = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('./webhooks/delivery-page.tsx')),
})
const attention = createRoute({
  getParentRoute: () => shell,
  path: '/attention',
  component: lazyRouteComponent(() => import('./attention/page.tsx')),
})
const books = createRoute({
  getParentRoute: () => shell,
  path: '/books',
  component: lazyRouteComponent(() => import('./books/page.tsx')),
})
const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  component: lazyRouteComponent(() => import('./audit/page.tsx')),
})
const accounts = createRoute({
  getParentRoute: () => shell,
  path: '/accounts',
  component: lazyRouteComponent(() => import('./accounts/page.tsx')),
})
const sell = createRoute({
  getParentRoute: () => shell,
  path: '/sell',
  validateSearch: parseSellSearch,
  component: lazyRouteComponent(() => import('./selling/sell-page.tsx')),
})
const links = createRoute({
  getParentRoute: () => shell,
  path: '/links',
  component: lazyRouteComponent(() => import('./selling/links-page.tsx')),
})
const link = createRoute({
  getParentRoute: () => shell,
  path: '/links/$id',
  component: lazyRouteComponent(() => import('./selling/link-page.tsx')),
})
const invoices = createRoute({
  getParentRoute: () => shell,
  path: '/invoices',
  validateSearch: parseInvoiceSearch,
  component: lazyRouteComponent(() => import('./selling/invoices-page.tsx')),
})
const invoice = createRoute({
  getParentRoute: () => shell,
  path: '/invoices/$id',
  component: lazyRouteComponent(() => import('./selling/invoice-page.tsx')),
})
const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/page.tsx')),
})

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    shell.addChildren([
      overview,
      setup,
      orders,
      order,
      sell,
      links,
      link,
      invoices,
      invoice,
      addresses,
      keys,
      key,
      webhooks,
      endpoints,
      replay,
      checker,
      delivery,
      attention,
      books,
      audit,
      settings,
      accounts,
    ]),
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
