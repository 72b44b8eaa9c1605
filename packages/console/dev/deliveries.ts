// Webhooks of an invented order: most arrive, some after a while, some never.
import type { StoredOrder } from './orders.ts'
import type { World } from './state.ts'

const HOUR = 3_600_000

export function addDeliveries(world: World, order: StoredOrder, now: number): void {
  for (const entry of order.timeline) {
    if (entry.event === null || order.webhook_url === null) continue
    if (world.deliveries.some((each) => each.event_id === entry.id)) continue
    const luck = world.random.next()
    const at = Date.parse(entry.created_at)
    // Five attempts take 2 h 36 min.
    const isRecent = now - at < 3 * HOUR
    const status = luck < 0.86 ? 'succeeded' : isRecent ? 'retrying' : luck < 0.94 ? 'succeeded' : 'dead'
    const tries = status === 'succeeded' ? (luck > 0.84 ? 2 : 1) : status === 'retrying' ? 2 : 5
    const waits = [0, 60_000, 360_000, 2_160_000, 9_360_000]
    const faults = [
      [500, 'http_500', 213, '{"error":"database is locked"}\n<script>alert("not run")</script>'],
      [null, 'timeout_headers', 10_000, null],
      [null, 'connect_refused', 12, null],
      [401, 'http_401', 88, 'bad signature'],
    ] as const
    world.deliveries.push({
      id: `dlv_${world.random.text(26)}`,
      event_id: entry.id,
      event: entry.event,
      order_no: order.order_no,
      livemode: order.livemode,
      endpoint_id: null,
      url: order.webhook_url,
      status,
      attempt_count: tries,
      next_attempt_at: status === 'retrying' ? new Date(now + 18 * 60_000).toISOString() : null,
      attempts: Array.from({ length: tries }, (_, n) => {
        const [http_status, error, latency_ms, response_excerpt] =
          n === tries - 1 && status === 'succeeded'
            ? ([200, null, world.random.int(40, 400), 'ok'] as const)
            : world.random.pick(faults)
        return {
          n: n + 1,
          at: new Date(at + (waits[n] ?? 0)).toISOString(),
          http_status,
          latency_ms,
          error,
          response_excerpt,
        }
      }),
      created_at: entry.created_at,
      resent_from: null,
    })
  }
  world.deliveries.sort((a, b) => b.created_at.localeCompare(a.created_at))
}
