// How long a failed delivery waits before each of its next attempts, and where webhooks may go.
import { isEverybody } from '@florin/platform/wide-ranges'
import { SECOND_MS, WEBHOOK_RETRY_WAITS_MS } from '@florin/protocol'
import { makePolicy, type TargetSettings } from './send/policy.ts'

/** @param waits seconds between commas; null: as it is by itself. What is wrong is added to `faults`. */
export function readRetryWaits(
  { waits, isLoopbackInstall }: { waits: string | null; isLoopbackInstall: boolean },
  faults: string[],
): readonly number[] {
  if (waits === null) return WEBHOOK_RETRY_WAITS_MS
  const seconds = waits.split(',').map((entry) => entry.trim())
  const parsed = seconds.map((entry) => Number(entry) * SECOND_MS)
  if (seconds.length !== WEBHOOK_RETRY_WAITS_MS.length || !seconds.every((s) => /^\d{1,6}$/.test(s))) {
    faults.push(`WEBHOOK_RETRY_WAITS is "${waits}"; it takes four whole numbers of seconds, such as 60,300,1800,7200.`)
  } else if (!isLoopbackInstall && parsed.some((wait, n) => wait < (WEBHOOK_RETRY_WAITS_MS[n] ?? 0))) {
    faults.push('WEBHOOK_RETRY_WAITS may be shorter than 60,300,1800,7200 only on a loopback install.')
  } else return parsed
  return WEBHOOK_RETRY_WAITS_MS
}

/** What is wrong is added to `faults`. */
export function readTargets(settings: TargetSettings, isLoopbackInstall: boolean, faults: string[]): TargetSettings {
  for (const range of isLoopbackInstall ? [] : settings.webhookAllow.filter(isEverybody)) {
    faults.push(`WEBHOOK_ALLOW has "${range}", which holds your whole network. Name the hosts that webhooks may go to.`)
  }
  for (const range of isLoopbackInstall ? [] : settings.webhookOwnAddresses.filter(isEverybody)) {
    faults.push(`WEBHOOK_OWN_ADDRESSES has "${range}", so hardly any webhook could go out. Name your own addresses.`)
  }
  try {
    makePolicy(settings)
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
  }
  return settings
}
