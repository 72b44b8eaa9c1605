// The checks of running processes, by /readyz. They know more than the database: how old the newest blocks of chains are, whether
// providers answer, how long gas lasts, and when each job last succeeded.
import { type Check, fault, isOk, ok } from '@florin/platform/check'

const ASK_MS = 5_000

/** As a check crosses the wire. */
type Sent = Omit<Check, 'since'> & { since: string | null }

/** @param url of a process. */
export async function examineProcess(url: string): Promise<Check[]> {
  const ready = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ASK_MS) }).catch(() => null)
  if (ready === null) {
    const remedy = 'Start it, or name its address: -- --process http://host:port'
    return [fault(['process', url], `No process answers at ${url}.`, remedy)]
  }
  const { checks = [] } = (await ready.json().catch(() => ({}))) as { checks?: Sent[] }
  const own = checks.map((check): Check => {
    const since = check.since === null ? null : new Date(check.since)
    return { ...check, since, summary: isOk({ ...check, since }) ? check.summary : `${url}: ${check.summary}` }
  })
  return ready.ok ? [...own, ok(['process', url], `${url} is ready.`)] : own
}
