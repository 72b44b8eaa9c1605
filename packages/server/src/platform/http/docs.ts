// Owns /openapi.json and /docs: both are made from the schemas that the routes really validate with.
import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { App } from './server.ts'

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
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: { url: '/openapi.json', withDefaultFonts: false, telemetry: false },
    hooks: {
      onRequest(_request, reply, done) {
        // The reference page brings its own inline script and styles; it shows public schemas only.
        reply.header(
          'Content-Security-Policy',
          "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
        )
        done()
      },
    },
  })
}
