// What is measured of requests: by the route's pattern, so that no address with a secret in it becomes a label and
// strangers cannot make new ones.
import type { FastifyInstance } from 'fastify'
import { Counter, Histogram } from 'prom-client'
import { metrics } from '../metrics.ts'

const registers = [metrics]

const durations = new Histogram({
  name: 'florin_http_request_seconds',
  help: 'From the head of a request to the end of its answer, by the first digit of its status; streams are left out',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.01, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers,
})
const answers = new Counter({
  name: 'florin_http_answers_total',
  help: 'Answers by route and status',
  labelNames: ['method', 'route', 'status'] as const,
  registers,
})

export function measureRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const { url } = request.routeOptions
    const place = url === undefined ? { method: 'any', route: 'none' } : { method: request.method, route: url }
    const status = String(reply.statusCode)
    answers.inc({ ...place, status })
    const type = reply.getHeader('content-type')
    if (typeof type === 'string' && type.startsWith('text/event-stream')) return
    durations.observe({ ...place, status: `${status[0]}xx` }, reply.elapsedTime / 1000)
  })
}

/** By the codes of the closed table: which refusals there are, whatever the route. */
export const refusals = new Counter({
  name: 'florin_http_refusals_total',
  help: 'Answers with an error, by its code',
  labelNames: ['code'] as const,
  registers,
})
