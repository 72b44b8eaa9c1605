// The one shape of health information: /readyz, metrics, attention items, the doctor and the checklist before real money read it. Pure.

/** `fault`: something does not work, or soon will not. `warning`: a person should look. */
export type CheckStatus = 'ok' | 'warning' | 'fault'

export interface Check {
  /** Names the kind of check, such as `chain` or `disk`. Stable: alerts and scripts go by it. */
  id: string
  /** The one of several that was checked, such as a chain, a key or a table. null: there is only one. */
  subject: string | null
  status: CheckStatus
  /** The result, in one sentence for operators. */
  summary: string
  /** The next step for an operator; null where the status is ok. */
  remedy: string | null
  /** When the trouble began; null where the status is ok, or where nothing recorded the time. */
  since: Date | null
}

type About = string | readonly [id: string, subject: string | null]

const check = (about: About, rest: Omit<Check, 'id' | 'subject' | 'since'>): Check => {
  const [id, subject] = typeof about === 'string' ? [about, null] : about
  return { id, subject, ...rest, since: null }
}

export const ok = (about: About, summary: string): Check => check(about, { status: 'ok', summary, remedy: null })
export const warning = (about: About, summary: string, remedy: string): Check =>
  check(about, { status: 'warning', summary, remedy })
export const fault = (about: About, summary: string, remedy: string): Check =>
  check(about, { status: 'fault', summary, remedy })

export const isOk = ({ status }: Check): boolean => status === 'ok'

/** A duration in words, such as `90 s` or `2 days`. */
export function spanOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`
  if (seconds < 2 * 86_400) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
