// Planted bugs that lose, repeat or forge webhooks, orders or facts.
import type { PlantedBug } from '../planted-bug.ts'

export const deliveryBugs: readonly PlantedBug[] = [
  {
    name: 'idempotency: a key accepts another body',
    in: 'claimKey',
    replace: [' and k.body_hash = excluded.body_hash', ''],
    test: 'create.test.ts › a killed request that is sent again with',
  },
  {
    name: 'idempotency: two requests hold one key',
    in: 'claimKey',
    replace: ['k.leased_until < ${a.now} and', ''],
    test: 'advance.test.ts › an idempotency key holds against ten requests',
  },
  {
    name: 'queue: a worker that lost its lease ends a delivery',
    in: 'writeResults',
    replace: ["q.lease_token = r.token and r.verdict <> 'retry'", "r.verdict <> 'retry'"],
    test: 'record.test.ts › who sends under a lease is alone to decide',
  },
  {
    name: 'queue: two workers claim the same delivery',
    in: 'claimRows',
    replace: ['limit w.room for update skip locked', 'limit w.room'],
    test: 'claim.test.ts › eight claimers over one backlog lease each row once',
  },
  {
    name: 'queue: the retry times are shifted',
    in: 'afterAttempt',
    replace: ['a.waitsMs[a.n - 1]', 'a.waitsMs[a.n]'],
    test: 'schedule.test.ts › five attempts in all: 1 min, 5 min, 30 min',
  },
  {
    name: 'inbox: an applied fact is applied again',
    in: 'deleteFacts',
    replace: ['delete from rail_facts where id = any(', 'delete from rail_facts where false and id = any('],
    test: 'rail-traffic.test.ts › facts that cannot be applied, or have no',
  },
  {
    name: 'tasks: a worker that lost its lease ends a task',
    in: 'claimTasks',
    replace: ['attempts = attempts + 1, fence = fence + 1', 'attempts = attempts + 1'],
    test: 'tasks.test.ts › tasks: a lease that ended',
  },
  {
    name: 'tasks: work that began before it was asked for anew counts',
    in: 'askTasks',
    replace: ['attempts = 0, fence = t.fence + 1', 'attempts = 0'],
    test: 'reconcile.test.ts › a look that began before an order changed',
  },
  {
    name: 'leases: a new holder gets the old token',
    in: 'claimLease',
    replace: ['leases.token + 1 end', 'leases.token end'],
    test: 'lease.test.ts › one holder at a time; a lapsed lease changes',
  },
  {
    name: 'sending: a redirect counts as delivered',
    in: 'codeOfStatus',
    replace: ['status >= 200 && status < 300', 'status >= 200 && status < 400'],
    test: 'send.test.ts › any 2xx is a success and nothing else is',
  },
  {
    name: 'targets: the metadata service hides in an IPv6 address',
    in: 'judgeAddress',
    file: 'address.ts',
    replace: ["isIn(inside, neverRanges) ? 'never' : 'special'", "'special'"],
    test: 'address.test.ts › addresses are',
  },
  {
    name: 'targets: one public address of a name opens its private ones',
    in: 'makeDialler',
    replace: ['if (bad.length > 0) throw', 'if (bad.length === addresses.length) throw'],
    test: 'target.test.ts › no name that resolves to a forbidden address',
  },
  {
    name: 'targets: a private address in the URL is called',
    in: 'makeDialler',
    replace: [
      'const bad = addresses.filter((_address, n) => !judged[n])',
      'const bad = isLiteral ? [] : addresses.filter((_address, n) => !judged[n])',
    ],
    test: 'target.test.ts › an address in the URL is judged by the connector',
  },
  {
    name: 'endpoints: a live endpoint receives test orders',
    in: 'takers',
    replace: ['and w.livemode = ${e.livemode}::boolean', ''],
    test: 'endpoints.test.ts › an endpoint is sent the events of every order',
  },
  {
    name: 'endpoints: an endpoint receives the orders of another merchant',
    in: 'takers',
    replace: ['where w.merchant_no = ${e.merchantNo} and', 'where'],
    test: 'endpoints.test.ts › an endpoint is sent the events of every order',
  },
  {
    name: 'endpoints: waiting deliveries go to the old URL',
    in: 'deliveryWorker',
    replace: ['to.isClosed || to.url === row.url', 'to.isClosed || true'],
    test: 'endpoints.test.ts › given another URL, what waits and what is',
  },
  {
    name: 'signatures: an ended webhook secret still signs',
    in: 'openWebhookSecrets',
    replace: [
      '(api_key_id = any(${ids}) or endpoint_id = any(${ids})) and (expires_at is null or expires_at > ${now})',
      '(api_key_id = any(${ids}) or endpoint_id = any(${ids}))',
    ],
    test: 'deliver.test.ts › during a rotation both secrets sign, newest',
  },
  {
    name: 'signatures: the time is not signed',
    in: 'hmac',
    file: 'signature.ts',
    replace: ['.update(`${t}.`).update(body)', '.update(body)'],
    test: 'signature.test.ts › signs as Python and openssl do',
  },
  {
    name: 'signatures: an old webhook is accepted',
    in: 'ageFault',
    replace: ['if (age > tolerance)', 'if (age > 2 * tolerance)'],
    test: 'signature.test.ts › refuses with',
  },
  {
    name: 'signatures: any signature is accepted on Workers',
    in: 'verify',
    file: 'signature-web.ts',
    replace: ["if (secretIndex === -1) return refuse('mismatch')", 'secretIndex = Math.max(secretIndex, 0)'],
    test: 'handlers.test.ts › Workers, without anything of Node',
  },
  {
    name: 'sdk: a refused webhook is answered with 200',
    in: 'answerWebhook',
    replace: ['return { status: 400, text: error.reason }', 'return { status: 200, text: error.reason }'],
    test: 'handlers.test.ts › Node’s own server',
  },
  {
    name: 'sdk: an error of the shop is answered with 200',
    in: 'answerWebhook',
    replace: ['await on(event as Event)', 'void Promise.resolve(event as Event).then(on).catch(() => undefined)'],
    test: 'handlers.test.ts › Node’s own server',
  },
]
