// Serves /openapi.json, generated from the schemas that the routes validate with, and the documentation at /docs.
import swagger from '@fastify/swagger'
import type { App } from '../server.ts'
import { serveSite } from './site.ts'

export interface ApiDocs {
  baseUrl: string
  /** Makes the document that is served of what the routes say. */
  finish(collected: object): object
  /** The built documentation. */
  site: string
}

export async function useApiDocs(app: App, { baseUrl, finish, site }: ApiDocs): Promise<void> {
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
    // Viewers and generators of other origins read it; there is no secret in it.
    reply.header('Access-Control-Allow-Origin', '*')
    return app.swagger()
  })
  serveSite(app, site, '/docs', baseUrl)
}
