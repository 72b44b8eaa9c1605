// FX_SOURCES: where exchange rates are asked for, and FX_OVERRIDES: the operator's word for single currencies. Pure.
import type { FxSourceSetting } from '../../settings.ts'
import type { Override } from '../agree/decide.ts'
import { isQuote, readRate } from './adapter.ts'

/** In the order in which they are asked where several could answer; docs/currencies.md says who is behind each. */
export const builtInSources = ['ecb', 'frankfurter', 'boc', 'cnb', 'coinbase', 'kraken', 'yadio', 'fixed'] as const
export type BuiltInSource = (typeof builtInSources)[number]

/** Without a key, and with terms that let a payment service ask. */
const usual = 'ecb,frankfurter,boc,cnb,coinbase,kraken'

/**
 * @param a.text the variable; null: not said.
 * @returns none where exchange rates are turned off.
 */
export function readFxSources(
  a: { text: string | null; isLoopbackInstall: boolean; devnet: boolean },
  faults: string[],
): FxSourceSetting[] {
  const text = a.text ?? (a.devnet ? 'fixed' : usual)
  if (text === 'off') return []
  const settings: FxSourceSetting[] = []
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [, id = entry, url = null] = /^([^=]+)=(.*)$/.exec(entry) ?? []
    const fault = faultOf({ id, url }, a.isLoopbackInstall)
    // What is no name may be an address with a key in it: never echoed.
    const name = /^[\w-]{1,40}$/.test(id) ? `"${id}"` : 'an entry that is no name'
    if (fault !== null) faults.push(`FX_SOURCES has ${name}; ${fault}`)
    else if (settings.some((other) => other.id === id)) faults.push(`FX_SOURCES has "${id}" twice.`)
    else settings.push({ id, url })
  }
  return settings
}

function faultOf({ id, url }: FxSourceSetting, isLoopbackInstall: boolean): string | null {
  const isBuiltIn = builtInSources.some((name) => name === id)
  if (url === null) {
    if (!isBuiltIn) return `it takes off, or names among ${builtInSources.join(', ')}, or NAME=URL.`
    if (id === 'fixed' && !isLoopbackInstall) return 'rates that never move are allowed only on a loopback install.'
    return null
  }
  if (isBuiltIn || !/^[a-z][a-z0-9-]{0,30}$/.test(id)) {
    return 'a source of your own takes a name of small letters, digits and hyphens that no built-in source has.'
  }
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && isLoopbackInstall))) {
    return 'its address must begin with https:// (http:// on a loopback install).'
  }
  // A password in an address would stand in every log of the way there.
  if (parsed.username !== '' || parsed.password !== '') return 'its address must hold no user or password.'
  return null
}

/**
 * @param text such as `ARS=yadio,LBP=89500`: a currency is priced by that source alone, or at that rate.
 * @returns by currency
 */
export function readFxOverrides(
  text: string | null,
  sources: readonly FxSourceSetting[],
  faults: string[],
): ReadonlyMap<string, Override> {
  const found = new Map<string, Override>()
  if (text !== null && sources.length === 0) {
    faults.push('FX_OVERRIDES takes nothing while FX_SOURCES is off: orders are in US dollars then.')
    return found
  }
  for (const entry of text === null ? [] : text.split(',').map((part) => part.trim())) {
    const [, code = '', value = ''] = /^([A-Z]{3})=([\w.-]{1,40})$/.exec(entry) ?? []
    const rate = readRate(value)
    const isSource = sources.some(({ id }) => id === value)
    if (!isQuote(code))
      faults.push('FX_OVERRIDES takes entries such as ARS=yadio or LBP=89500, with a code of ISO 4217.')
    else if (found.has(code)) faults.push(`FX_OVERRIDES has ${code} twice.`)
    else if (rate !== null) found.set(code, { kind: 'rate', rate })
    else if (isSource) found.set(code, { kind: 'source', source: value })
    else faults.push(`FX_OVERRIDES has ${code}; it takes units for one dollar, or a source that FX_SOURCES names.`)
  }
  return found
}
