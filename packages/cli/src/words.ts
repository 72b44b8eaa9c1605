// Reading what is typed: times, event kinds, numbers, addresses of receivers. Each refuses with a sentence that names the
// option. The present time is an argument.
import { eventKinds } from '@florin/protocol'
import { UsageFailure } from './failure.ts'
import type { EventKind } from './sdk.ts'

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `2026-01-31`, `2026-01-31T10:00:00Z`, or `90m`, `6h`, `2d`: so long ago. A date alone is its first moment in UTC. */
export function readMoment(option: string, text: string, now: Date): Date {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (amount !== undefined) return new Date(now.getTime() - Number(amount) * (unitMs[unit] ?? 0))
  const isIso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
  const moment = new Date(text)
  if (isIso && !Number.isNaN(moment.getTime())) return moment
  throw new UsageFailure(`${option} takes a time such as 2026-01-31T10:00:00Z, or how long ago: 90m, 6h, 2d.`)
}

export const eventNames: readonly string[] = eventKinds

/** `order.success`, or `success` for short. */
export function readEvent(text: string): EventKind {
  const kind = eventKinds.find((each) => each === text || each === `order.${text}`)
  if (kind === undefined) throw new UsageFailure(`"${text}" is no event. There are ${eventKinds.join(', ')}.`)
  return kind
}

/** `order.success,order.failed`; null where nothing was asked for. */
export function readEvents(text: string | undefined): ReadonlySet<EventKind> | null {
  if (text === undefined) return null
  const words = text.split(',').map((word) => word.trim())
  return new Set(words.filter((word) => word !== '').map(readEvent))
}

export function readChoice<Choice extends string>(option: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text)
  if (choice === undefined) throw new UsageFailure(`${option} takes one of ${choices.join(', ')}.`)
  return choice
}

/** `success,failed`: one or more of them. */
export function readChoices<Choice extends string>(option: string, text: string, choices: readonly Choice[]): Choice[] {
  return text.split(',').map((word) => readChoice(option, word.trim(), choices))
}

/** A whole number within bounds; undefined where the option was not given. */
export function readWhole(option: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new UsageFailure(`${option} takes a whole number from ${least} to ${most}.`)
}

/** The address of a receiver; `localhost:4000/hook` and `4000/hook` for short. */
export function readReceiver(option: string, text: string): URL {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text)
  const isPort = /^:?\d{1,5}(\/|$)/.test(text)
  const full = hasScheme ? text : `http://${isPort ? `localhost:${text.replace(/^:/, '')}` : text}`
  const url = URL.canParse(full) ? new URL(full) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new UsageFailure(`${option} takes the address of a receiver, such as http://localhost:4000/webhooks/florin.`)
  }
  return url
}
