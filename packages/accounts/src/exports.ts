// Whole exports of wallets: finds the keys and descriptors that stand in them, with what the file says of each. Which
// one is meant is decided elsewhere. Formats and sources: README.md. Pure.

import { type KeyExpression, readDescriptor, readKey, UNKNOWN_FINGERPRINT } from './descriptor.ts'
import type { ScriptType } from './networks.ts'
import { Refused } from './refusal.ts'
import { refuseSecretFields } from './secrets.ts'

/** Something in the text that may be the account. */
export interface Candidate {
  /** What it stood in: "a descriptor", "a Coldcard export". */
  readonly source: string
  /** null: the text does not say. */
  readonly script: ScriptType | null
  readonly expression: KeyExpression
  /** The first receiving address as the file states it. */
  readonly first: string | null
  /** The next receiving index as the file states it, or one above the last that it knows used. */
  readonly next: number | null
}

/** More than any export holds of single-key accounts; what stands behind is not read. */
const MAX_CANDIDATES = 20

/** @throws Refused with the reason of the first where none can be read. */
export function readCandidates(text: string): Candidate[] {
  if (/^[{[]\s*["{[\]}]/.test(text)) return readJson(text)
  if (/^BSMS 1\.0\b/.test(text)) return readBsms(text)
  const lines = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  // Two keys at once, as Exodus shows them, stand in one line or in two.
  const words = lines.flatMap((line) => (line.includes('(') ? [line] : line.split(/[\s,;]+/)))
  const found = words.filter((word) => /\(|\w{3}[bp][1-9A-HJ-NP-Za-km-z]{90,}/.test(word))
  return firstReadable(found.length === 0 ? words.slice(0, 1) : found, (word) =>
    readText(word, lines.length > 1 ? 'a file' : null),
  )
}

function readText(text: string, source: string | null): Candidate {
  if (!text.includes('(')) {
    return { source: source ?? 'an extended key', script: null, expression: readKey(text), first: null, next: null }
  }
  return { ...readDescriptor(text), source: source ?? 'a descriptor', first: null, next: null }
}

/**
 * A file often holds the path of change beside that of receiving, or accounts of other kinds: what cannot be read is
 * left out where something else can.
 */
function firstReadable<Part>(parts: readonly Part[], read: (part: Part) => Candidate): Candidate[] {
  const refusals: unknown[] = []
  const candidates = parts.slice(0, MAX_CANDIDATES).flatMap((part) => {
    try {
      return [read(part)]
    } catch (error) {
      refusals.push(error)
      return []
    }
  })
  if (candidates.length > 0) return candidates
  throw refusals[0] ?? unknown()
}

const unknown = (): Refused =>
  new Refused(
    'not_an_account',
    'This is no extended public key, descriptor or wallet export that can be read. Give the extended public key of the account (xpub, zpub, Ltub …), or its descriptor.',
  )

/** BSMS 1.0, as Nunchuk and coordinators write it: descriptor, restrictions of the path, first address. */
function readBsms(text: string): Candidate[] {
  const [, descriptor = '', restriction = '', first = ''] = text.split(/[\r\n]+/).map((line) => line.trim())
  const path = /^\/\d+(?:\/\d+)*\/\*/.exec(restriction)?.[0] ?? '/**'
  const body = (descriptor.split('#')[0] ?? '').replace('/**', path)
  // The checksum is that of the text as it stands.
  const checked = readDescriptor(descriptor)
  const read = descriptor.includes('/**') ? readDescriptor(body) : checked
  return [{ ...read, source: 'a BSMS file', first: first === '' ? null : first, next: null }]
}

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function readJson(text: string): Candidate[] {
  const value = parseFirst(text)
  refuseSecretFields(value)
  if (!isFields(value)) throw unknown()
  for (const format of formats) {
    const candidates = format(value)
    if (candidates !== null) return candidates
  }
  throw unknown()
}

/** Electrum appends its changes to the file behind the first object, so only that one is read. */
function parseFirst(text: string): unknown {
  let depth = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (inText) {
      if (letter === '\\') at++
      else if (letter === '"') inText = false
    } else if (letter === '"') inText = true
    else if (letter === '{' || letter === '[') depth++
    else if ((letter === '}' || letter === ']') && --depth === 0) {
      try {
        return JSON.parse(text.slice(0, at + 1))
      } catch {
        throw unknown()
      }
    }
  }
  throw unknown()
}

/** A key with what else the file says of it. Eight zeros stand for a fingerprint that it leaves out. */
function keyed(
  source: string,
  a: {
    key: string
    fingerprint?: unknown
    path?: unknown
    script?: ScriptType | null
    first?: unknown
    next?: number | null
  },
): Candidate {
  const fingerprint = textOf(a.fingerprint)
  const path = textOf(a.path)?.replace(/^m\/?/i, '').replaceAll('H', 'h')
  const origin = path === undefined ? '' : `[${[fingerprint ?? UNKNOWN_FINGERPRINT, path].filter(Boolean).join('/')}]`
  const expression = readKey(a.key.startsWith('[') ? a.key : `${origin}${a.key}`)
  return { source, script: a.script ?? null, expression, first: textOf(a.first), next: a.next ?? null }
}

const coldcardScripts: Readonly<Record<string, ScriptType>> = {
  bip44: 'pkh',
  bip49: 'sh-wpkh',
  bip84: 'wpkh',
  bip86: 'tr',
}
const ledgerScripts: Readonly<Record<string, ScriptType>> = {
  '': 'pkh',
  segwit: 'sh-wpkh',
  native_segwit: 'wpkh',
  taproot: 'tr',
}

/** Each knows its own fields, and answers null to a file of another kind. */
const formats: readonly ((file: Fields) => Candidate[] | null)[] = [
  // Coldcard and what copied it (Passport, Jade): one entry for each type of script, with its first address.
  (file) => {
    const entries = Object.entries(coldcardScripts).flatMap(([name, script]) => {
      const entry = file[name]
      const key = isFields(entry) ? textOf(entry.xpub) : null
      return isFields(entry) && key !== null ? [{ entry, key, script }] : []
    })
    if (entries.length === 0) return null
    return firstReadable(entries, ({ entry, key, script }) =>
      keyed('a Coldcard export', { key, script, fingerprint: file.xfp, path: entry.deriv, first: entry.first }),
    )
  },
  // Electrum's wallet file, which hardware wallets write as well.
  (file) => {
    const store = file.keystore
    if (!isFields(store)) return file.wallet_type !== undefined && isFields(file['x1/']) ? refuseMultisig() : null
    const key = textOf(store.xpub)
    if (key === null) throw new Refused('unsupported', 'This Electrum wallet has no extended public key.')
    const { derivation: path, root_fingerprint: fingerprint } = store
    return [keyed('an Electrum wallet file', { key, path, fingerprint, next: electrumNext(file) })]
  },
  // Wasabi, Keystone and others that write as Wasabi does.
  (file) => {
    const key = textOf(file.ExtPubKey)
    const taproot = textOf(file.TaprootExtPubKey)
    if (key === null && taproot === null) return null
    const fingerprint = file.MasterFingerprint
    const parts = [
      ...(key === null ? [] : [{ key, script: 'wpkh' as const, path: file.AccountKeyPath ?? "84'/0'/0'" }]),
      ...(taproot === null
        ? []
        : [{ key: taproot, script: 'tr' as const, path: file.TaprootAccountKeyPath ?? "86'/0'/0'" }]),
    ]
    return firstReadable(parts, (part) =>
      keyed('a Wasabi wallet file', { ...part, fingerprint, next: wasabiNext(file, part.path) }),
    )
  },
  // Specter and others: a label and a descriptor.
  (file) => {
    const descriptor = textOf(file.descriptor)
    if (descriptor === null) return null
    return [{ ...readText(descriptor, 'a wallet file'), next: indexIn(file.address_index) }]
  },
  // Bitcoin Core and Litecoin Core: `listdescriptors`.
  (file) => {
    if (!Array.isArray(file.descriptors)) return null
    const receiving = file.descriptors.filter(
      (entry) => isFields(entry) && entry.internal !== true && entry.active !== false,
    )
    return firstReadable(receiving, (entry) =>
      isFields(entry)
        ? {
            ...readText(textOf(entry.desc) ?? '', 'a node’s descriptors'),
            next: indexIn(entry.next_index ?? entry.next),
          }
        : readText('', null),
    )
  },
  // Ledger Live's account in its advanced logs.
  (file) => {
    const key = textOf(file.xpub)
    if (key === null || textOf(file.id) === null) return key === null ? null : [keyed('a wallet file', { key })]
    const mode = textOf(file.derivationMode) ?? ''
    const script = ledgerScripts[mode] ?? null
    const isFirst = file.index === undefined && /\/0\/0$/.test(textOf(file.freshAddressPath) ?? '')
    return [keyed('a Ledger Live account', { key, script, first: isFirst ? file.freshAddress : null })]
  },
]

const INDEX_MOST = 1_000_000
const indexIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= INDEX_MOST ? value : null

/** Behind the last of the receiving addresses that have a history. */
function electrumNext(file: Fields): number | null {
  const receiving = isFields(file.addresses) ? file.addresses.receiving : null
  const histories = file.addr_history
  if (!Array.isArray(receiving) || !isFields(histories)) return null
  const isUsed = (address: unknown): boolean => {
    const history = typeof address === 'string' && Object.hasOwn(histories, address) ? histories[address] : null
    return Array.isArray(history) && history.length > 0
  }
  return receiving.findLastIndex(isUsed) + 1
}

/** Behind the last receiving key that is not clean any more (KeyState 0). */
function wasabiNext(file: Fields, path: unknown): number | null {
  if (!Array.isArray(file.HdPubKeys)) return null
  const start = `${textOf(path)?.replace(/^m\//, '') ?? ''}/0/`
  const used = file.HdPubKeys.flatMap((entry) => {
    const at = isFields(entry) && entry.KeyState !== 0 ? textOf(entry.FullKeyPath)?.replace(/^m\//, '') : undefined
    const index = at?.startsWith(start) === true ? indexIn(Number(at.slice(start.length))) : null
    return index === null ? [] : [index + 1]
  })
  return used.reduce((a, b) => Math.max(a, b), 0)
}

function refuseMultisig(): never {
  throw new Refused('multisig', 'This wallet needs several keys to sign. Only wallets with one key are taken.')
}
