// How numbers, amounts and times are written. Pure: the present moment is an argument. Money is never a float on its
// way here: chain amounts are strings of digits, and US dollars are shown with the decimals they have.

import { digitsOf, formatUnits, moneyText } from '@florin/protocol'

const usdFull = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
})
const usdCompact = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  minimumFractionDigits: 0,
  maximumFractionDigits: 1,
})
const whole = new Intl.NumberFormat('en-US')

/** What an order asked for, in its own currency and with its decimals. */
export const asked = (order: { amount: string; currency: string }): string =>
  moneyText(order.amount, order.currency, 'en-US')
export const usd = (amount: number): string => usdFull.format(amount)
/** For axes: `$12.3K`. */
export const usdShort = (amount: number): string => usdCompact.format(amount)
/** A figure of a plot in any currency, with its own digits: never a basis of a price. */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', {
    ...{ style: 'currency', currency },
    ...{ minimumFractionDigits: digitsOf(currency), maximumFractionDigits: digitsOf(currency) },
  }).format(amount)
export const moneyShort = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', {
    ...{ style: 'currency', currency, notation: 'compact' },
    ...{ minimumFractionDigits: 0, maximumFractionDigits: 1 },
  }).format(amount)
export const count = (n: number): string => whole.format(n)
/** A number with the word it counts. @example counted(1, 'order') // '1 order' */
export const counted = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? '' : 's'}`
/** 0 to 1. One decimal, and never rounded up to a hundred. */
export function percent(share: number): string {
  const tenths = share < 1 ? Math.min(999, Math.round(share * 1000)) : 1000
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)}%`
}
export const bps = (points: number): string => `${points / 100}%`

/** Smallest units as a decimal number with grouped thousands, never one decimal alone. @example units('1234500000', 6) // '1,234.50' */
export function units(amount: string, decimals: number): string {
  const [integer = '', fraction] = formatUnits(amount, decimals).split('.')
  const grouped = integer.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction.padEnd(Math.min(2, decimals), '0')}`
}

/** As `units`, cut after eight decimals with an ellipsis, for places where the exact amount stands elsewhere. */
export function unitsShort(amount: string, decimals: number): string {
  const full = units(amount, decimals)
  const dot = full.indexOf('.')
  return dot === -1 || full.length - dot - 1 <= 8 ? full : `${full.slice(0, dot + 9)}…`
}

/** Keeps both ends of a long id. @example middle('0x1234567890abcdef', 6, 4) // '0x1234…cdef' */
export function middle(text: string, head = 8, tail = 6): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`
  return n < 1_000_000 ? `${(n / 1000).toFixed(0)} kB` : `${(n / 1_000_000).toFixed(1)} MB`
}

/** @example duration(3725) // '1 h 2 min' */
export function duration(seconds: number): string {
  const s = Math.round(seconds)
  if (s < 60) return `${s} s`
  const [minutes, hours] = [Math.floor(s / 60), Math.floor(s / 3600)]
  if (minutes < 60) return s % 60 === 0 ? `${minutes} min` : `${minutes} min ${s % 60} s`
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  const days = Math.floor(hours / 24)
  return hours % 24 === 0 ? `${days} days` : `${days} days ${hours % 24} h`
}

/** Milliseconds of a request. */
export const latency = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

/** The coarsest unit only. @example relative('2026-01-01T00:00:00Z', now) // '3 min ago' or 'in 2 h' */
export function relative(at: string, now: number): string {
  const delta = Date.parse(at) - now
  const s = Math.round(Math.abs(delta) / 1000)
  if (s < 5) return 'just now'
  const text =
    s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min` : s < 172_800 ? `${Math.floor(s / 3600)} h` : days(s)
  return delta < 0 ? `${text} ago` : `in ${text}`
}

function days(s: number): string {
  const d = Math.floor(s / 86_400)
  return d < 60 ? `${d} days` : d < 730 ? `${Math.floor(d / 30)} months` : `${Math.floor(d / 365)} years`
}

type Zone = { timeZone: string }

/** `21 Nov 2026, 04:43:12` */
export function absolute(at: string, zone: Zone): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', ...zone }).format(new Date(at))
}

/** `21 Nov, 04:43`, with the year where it is not the present one. */
export function absoluteShort(at: string, now: number, zone: Zone): string {
  const date = new Date(at)
  const year = (d: Date) => new Intl.DateTimeFormat('en-GB', { year: 'numeric', ...zone }).format(d)
  const isThisYear = year(date) === year(new Date(now))
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(isThisYear ? {} : { year: 'numeric' }),
    ...zone,
  }).format(date)
}

/** What stands in a tooltip: the exact moment, as the API writes it. */
export const utc = (at: string): string => `${at.replace('T', ' ').replace(/(\.\d+)?Z$/, '')} UTC`
