// Serves /openapi.json and /docs, both generated from the schemas that the routes validate with.
import swagger from '@fastify/swagger'
import { renderApiReference } from '@scalar/client-side-rendering'
import scalar from '@scalar/fastify-api-reference'
import type { App } from './server.ts'
import { newNonce } from './static.ts'

export async function useApiDocs(app: App, baseUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Florin',
        version: '1',
        description:
          'Orders over /v1 with an API key, the console under /api/v1 with a console token, the checkout by its own token.',
      },
      servers: [{ url: baseUrl }],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          apiKeyBearer: { type: 'http', scheme: 'bearer' },
          consoleToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
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
