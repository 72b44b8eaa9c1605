// What one look of the doctor finds: a sentence, and a cure where something is to be done. Pure.

/** `fault`: something does not work, or soon will not. `warning`: somebody should look. */
export type State = 'ok' | 'warning' | 'fault'

export interface Check {
  name: string
  state: State
  says: string
  /** What to do; null where all is well. */
  cure: string | null
}

export const ok = (name: string, says: string): Check => ({ name, state: 'ok', says, cure: null })
export const warning = (name: string, says: string, cure: string): Check => ({ name, state: 'warning', says, cure })
export const fault = (name: string, says: string, cure: string): Check => ({ name, state: 'fault', says, cure })

/** How long, as people say it. */
export function spanOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`
  if (seconds < 2 * 86_400) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

const marks: Readonly<Record<State, string>> = { ok: 'ok     ', warning: 'LOOK   ', fault: 'FAULT  ' }

/** For a terminal: faults last, where they are seen. */
export function told(checks: readonly Check[]): string {
  const rank = (state: State): number => ['ok', 'warning', 'fault'].indexOf(state)
  const lines = checks
    .toSorted((a, b) => rank(a.state) - rank(b.state))
    .map(({ name, state, says, cure }) => {
      const line = `${marks[state]}${name.padEnd(18)} ${says}`
      return cure === null ? line : `${line}\n${' '.repeat(26)}→ ${cure}`
    })
  const [faults, warnings] = (['fault', 'warning'] as const).map(
    (state) => checks.filter((check) => check.state === state).length,
  )
  const end =
    faults === 0 && warnings === 0 ? 'Nothing is wrong.' : `${faults} to be mended, ${warnings} to be looked at.`
  return `${lines.join('\n')}\n\n${end}\n`
}
