// Reads variables of the environment, by kind. What one of them may not say is added to `faults` and its fallback taken, so that all
// faults are told at once.
import { DAY_MS } from '@florin/protocol'

export interface Variables<Name extends string> {
  /** null: not said. */
  text(name: Name): string | null
  oneOf<T extends string>(name: Name, allowed: readonly T[], fallback: T): T
  integer(name: Name, fallback: number, min: number, max: number): number
  /** What stands between commas. */
  list(name: Name): string[]
  /** @returns milliseconds */
  days(name: Name, fallback: number): number
}

export function readVariables<Name extends string>(
  environment: Readonly<Record<string, string | undefined>>,
  faults: string[],
): Variables<Name> {
  const text = (name: Name): string | null => {
    const value = environment[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const oneOf = <T extends string>(name: Name, allowed: readonly T[], fallback: T): T => {
    const value = text(name)
    if (value === null) return fallback
    const found = allowed.find((entry) => entry === value)
    if (found === undefined) faults.push(`${name} is "${value}"; it takes ${allowed.join(', ')}.`)
    return found ?? fallback
  }
  const integer = (name: Name, fallback: number, min: number, max: number): number => {
    const value = text(name)
    if (value === null) return fallback
    if (!/^\d{1,15}$/.test(value) || Number(value) < min || Number(value) > max) {
      faults.push(`${name} is "${value}"; it takes a whole number from ${min} to ${max}.`)
      return fallback
    }
    return Number(value)
  }
  const list = (name: Name): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
  const days = (name: Name, fallback: number): number => {
    const value = text(name)
    if (value === null) return fallback * DAY_MS
    const match = /^(\d{1,4})\s*d?$/.exec(value)
    if (match === null || Number(match[1]) < 1) {
      faults.push(`${name} is "${value}"; it takes a number of days of at least 1, such as ${fallback} d.`)
      return fallback * DAY_MS
    }
    return Number(match[1]) * DAY_MS
  }
  return { text, oneOf, integer, list, days }
}
