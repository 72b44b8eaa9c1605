// Serves /openapi.json and /docs, both generated from the schemas that the routes validate with.
import swagger from '@fastify/swagger'
import { renderApiReference } from '@scalar/client-side-rendering'
import scalar from '@scalar/fastify-api-reference'
import type { App } from './server.ts'
import { newNonce } from './static.ts'

/** @param finish makes the document that is served of what the routes say. */
export async function useApiDocs(app: App, baseUrl: string, finish: (collected: object) => object): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Florin',
        version: '1',
        summary: 'Crypto payments that settle straight to the merchant.',
        description:
          'Orders over /v1 with an API key, the console under /api/v1 with a console token, the checkout by its own token. Amounts of chains are strings of digits in the smallest unit, dollars are numbers, times are ISO 8601 UTC. Later versions may add fields, events and error codes: take what you do not know for what it is, and go on. Beside what each call lists, any call can be 414 `uri_too_long`, 405 `method_not_allowed` and, on an install for its own machine alone, 421 `host_not_served`.',
        contact: { name: 'Florin', url: `${baseUrl}/docs` },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: baseUrl }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'An API key, `florin_live_…` or `florin_test_…`.',
          },
          apiKeyBearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The same key as `Authorization: Bearer <key>`.',
          },
          consoleToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of a sign-in.' },
        },
      },
    },
    // What a route's config says of its guard, for the refusals that come of it.
    transform: ({ schema, url, route }) => {
      const { act, operator } = (route.config ?? {}) as { act?: string; operator?: boolean }
      return { schema: { ...schema, 'x-guard': { act, operator } } as typeof schema, url }
    },
    transformObject: (collected) =>
      finish('openapiObject' in collected ? collected.openapiObject : collected.swaggerObject) as never,
  })
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    // The reference page is sandboxed, so the browser gives it no origin.
    reply.header('Access-Control-Allow-Origin', '*')
    return app.swagger()
  })
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: { url: '/openapi.json' },
    hooks: {
      onRequest(request, reply, done) {
        if (request.url.split('?')[0] !== '/docs/') return done()
        const nonce = newNonce()
        reply
          .header('Content-Security-Policy', referencePolicy(nonce))
          .type('text/html; charset=utf-8')
          .send(referencePage(nonce))
      },
    },
  })
}

const reference = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  // A page without an origin can call nothing.
  hideTestRequestButton: true,
  // Disables what would call the library vendor's servers.
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never' as const,
}

/** Without an origin there is no storage, which the library reads before anything else: it gets one in memory. */
const storage = `for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  Object.defineProperty(window, name, { value: {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, String(value)),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    key: (n) => [...kept.keys()][n] ?? null,
    get length() { return kept.size },
  } })
}`

function referencePage(nonce: string): string {
  const page = renderApiReference({ config: reference, cdn: 'js/scalar.js', pageTitle: 'Florin API', nonce })
  return page.replace('<head>', () => `<head>\n<script nonce="${nonce}">${storage}</script>`)
}

/**
 * The reference is a library of four megabytes on the origin whose storage holds the console's token. The sandbox
 * removes the origin, so nothing it runs can read that. Its inline styles are allowed, since no script can come of
 * them.
 */
function referencePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    'sandbox allow-scripts allow-popups allow-downloads',
  ].join('; ')
}
