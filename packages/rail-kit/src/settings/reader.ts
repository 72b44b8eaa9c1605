// Reads a JSON object by named fields: each fault is recorded with its path and reading continues, so a person sees all
// of them at once. An unknown field is a fault too, since it is probably misspelt.
import { checkAddress } from '@florin/chains'
import { parseDecimal } from '@florin/platform/money'
import type { Address } from 'viem'

/** null where there is no object to read. */
export type Reader = Fields | null

export interface Fields {
  /** Its path: `chains.base.relayer`. */
  readonly at: string
  readonly value: Readonly<Record<string, unknown>>
  has(name: string): boolean
  skip(name: string): void
  fault(name: string, what: string): void
  text(name: string): string
  oneOf<T extends string>(name: string, allowed: readonly T[]): T
  integer(name: string, min: number, max: number, fallback?: number): number
  boolean(name: string, fallback: boolean): boolean
  /** In 10^-decimals. Written as text, or as a number where its decimal text is short. */
  decimal(name: string, decimals: number, fallback: string): bigint
  decimalText(name: string, fallback: string): string
  /** Lower case; mixed case must have the right checksum. */
  address(name: string): Address
  /** A list of texts and objects; other entries are faults. */
  entries(name: string): (string | Fields)[]
  /** null where it is not an object; `fallback` where it is omitted. */
  object(name: string, fallback?: Readonly<Record<string, unknown>> | null): Reader
  list(name: string): Fields[]
  /** Reports unknown fields. */
  end(): void
}

const nowhere: Address = '0x0000000000000000000000000000000000000000'

export function fieldsOf(json: unknown, at: string, faults: string[]): Fields {
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
  const value = isObject ? (json as Readonly<Record<string, unknown>>) : {}
  if (!isObject) faults.push(`${at === '' ? 'the file' : at}: it must be an object`)
  const asked = new Set<string>()
  const place = (name: string): string => (at === '' ? name : `${at}.${name}`)
  const fault = (name: string, what: string): void => void faults.push(`${place(name)}: ${what}`)
  const take = (name: string): unknown => {
    asked.add(name)
    return value[name]
  }
  const objectAt = (name: string, fallback?: Readonly<Record<string, unknown>> | null): Reader => {
    const found = take(name)
    if (found === undefined && fallback === null) return null
    if (found === undefined && fallback === undefined) {
      fault(name, 'it is missing')
      return null
    }
    return fieldsOf(found ?? fallback, place(name), faults)
  }
  return {
    at,
    value,
    fault,
    has: (name) => value[name] !== undefined,
    skip: (name) => void asked.add(name),
    text(name) {
      const found = take(name)
      if (typeof found === 'string' && found.trim() !== '') return found.trim()
      fault(name, found === undefined ? 'it is missing' : 'it must be a text')
      return ''
    },
    oneOf(name, allowed) {
      const found = take(name)
      const chosen = allowed.find((entry) => entry === found)
      if (chosen === undefined) fault(name, `it takes ${allowed.join(' or ')}`)
      return chosen ?? (allowed[0] as (typeof allowed)[number])
    },
    integer(name, min, max, fallback) {
      const found = take(name) ?? fallback
      if (typeof found === 'number' && Number.isSafeInteger(found) && found >= min && found <= max) return found
      fault(name, found === undefined ? 'it is missing' : `it takes a whole number from ${min} to ${max}`)
      return fallback ?? min
    },
    boolean(name, fallback) {
      const found = take(name) ?? fallback
      if (typeof found !== 'boolean') fault(name, 'it takes true or false')
      return found === true
    },
    decimal(name, decimals, fallback) {
      const found = parseDecimal(String(take(name) ?? fallback), decimals)
      if (found === null) fault(name, `it takes a decimal number with at most ${decimals} decimals`)
      return found ?? 0n
    },
    decimalText(name, fallback) {
      const found = String(take(name) ?? fallback)
      if (parseDecimal(found, 9) === null) fault(name, 'it takes a decimal number with at most 9 decimals')
      return found
    },
    address(name) {
      const found = take(name)
      const isOne = typeof found === 'string' && (checkAddress('eth', found).valid || /^0x[0-9a-f]{40}$/.test(found))
      if (isOne && BigInt(found) !== 0n) return found.toLowerCase() as Address
      fault(name, found === undefined ? 'it is missing' : 'it must be an address; is its checksum right?')
      return nowhere
    },
    entries(name) {
      const found = take(name)
      if (!Array.isArray(found)) {
        fault(name, found === undefined ? 'it is missing' : 'it must be a list')
        return []
      }
      return found.map((entry, n) =>
        typeof entry === 'string' ? entry : fieldsOf(entry, `${place(name)}[${n}]`, faults),
      )
    },
    object: objectAt,
    list(name) {
      const found = take(name)
      if (!Array.isArray(found)) {
        fault(name, found === undefined ? 'it is missing' : 'it must be a list')
        return []
      }
      return found.map((entry, n) => fieldsOf(entry, `${place(name)}[${n}]`, faults))
    },
    end() {
      for (const name of Object.keys(value)) {
        if (!asked.has(name)) fault(name, 'there is no such setting')
      }
    },
  }
}
