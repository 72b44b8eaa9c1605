// Checks as lines for a terminal. Pure.
import { type Check, type CheckStatus, isOk } from '@florin/platform/check'

const marks: Readonly<Record<CheckStatus, string>> = { ok: 'ok     ', warning: 'LOOK   ', fault: 'FAULT  ' }
const ranks: readonly CheckStatus[] = ['ok', 'warning', 'fault']

/** Faults come last, next to the prompt. */
export function reportOf(checks: readonly Check[]): string {
  const lines = checks
    .toSorted((a, b) => ranks.indexOf(a.status) - ranks.indexOf(b.status))
    .map(({ id, subject, status, summary, remedy }) => {
      const line = `${marks[status]}${`${id} ${subject ?? ''}`.padEnd(18)} ${summary}`
      return remedy === null ? line : `${line}\n${' '.repeat(26)}→ ${remedy}`
    })
  const [faults, warnings] = (['fault', 'warning'] as const).map(
    (status) => checks.filter((check) => check.status === status).length,
  )
  const end = checks.every(isOk) ? 'Nothing is wrong.' : `${faults} to be mended, ${warnings} to be looked at.`
  return `${lines.join('\n')}\n\n${end}\n`
}
