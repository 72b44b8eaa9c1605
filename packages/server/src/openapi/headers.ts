// The headers of answers, each described once. Pure.
const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })
const number = (description: string, example: number) => ({ description, schema: { type: 'integer' }, example })

export const headers = {
  'X-Request-Id': text(
    'Names the request in the service’s logs: give it to support.',
    'req_01ja6xkz7m9q4t2w8c5v3n1bpe',
  ),
  'Retry-After': number('Seconds to wait before the same request is sent again.', 30),
  'Idempotent-Replayed': text('`true`: this is the first answer to this Idempotency-Key, again.', 'true'),
  'RateLimit-Limit': number('Requests that a client may make in a minute.', 3000),
  'RateLimit-Remaining': number('What is left of them.', 2999),
  'RateLimit-Reset': number('Seconds until the count begins anew.', 60),
  RateLimit: text(
    'With a key: what is left of the limit that is nearest, and in how many seconds it begins anew.',
    '"key";r=2999;t=60',
  ),
  'RateLimit-Policy': text(
    'With a key: what it and its merchant may ask in so many seconds.',
    '"key";q=3000;w=60, "merchant";q=9000;w=60',
  ),
  'WWW-Authenticate': text('How to say who calls.', 'Bearer'),
  'Set-Cookie': text(
    'Knows this browser again, and nobody else: a page cannot read it.',
    '__Host-florin_payer_9f86d08188=…; Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict; Secure',
  ),
  Link: text('Where refusals are explained.', '</docs>; rel="help"'),
}

export const headersOf = (...names: readonly (keyof typeof headers)[]): Record<string, { $ref: string }> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** What stands on every answer. The count of requests does so where limits are on. */
export const common = headersOf('X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset')
