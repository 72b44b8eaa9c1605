// XRP Ledger: classic addresses (base58 in Ripple's alphabet) and X-addresses (XLS-5), which carry the destination tag
// and the network. A classic address with a tag glued on is no address: exchanges would lose the tag.

import { decodeBase58, encodeChecked, openChecked } from '../encoding/base58.ts'
import { allZero, startsWith } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

/** Accounts without a key: ACCOUNT_ZERO and ACCOUNT_ONE are caught by value, these by name. */
const blackHoles = new Set(['rrrrrrrrrrrrrrrrrNAMEtxvNvQ', 'rrrrrrrrrrrrrrrrrrrn5RM1rHd'])
const nobody = refuse('not_payable', 'it is a special account that nobody can spend from')

function classic(payload: Uint8Array, text: string): Finding {
  const id = payload.subarray(1)
  if (allZero(id.subarray(0, 19)) && (id[19] ?? 0) < 2) return nobody
  return blackHoles.has(text) ? nobody : accept('classic', text)
}

/** Account and tag of an X-address payload of 31 bytes, or what is wrong with it. */
function openX(payload: Uint8Array): { readonly id: Uint8Array; readonly tag: number | null } | null {
  const flag = payload[22]
  const tagBytes = payload.subarray(23)
  if (flag === 0) return allZero(tagBytes) ? { id: payload.subarray(2, 22), tag: null } : null
  if (flag !== 1 || !allZero(tagBytes.subarray(4))) return null
  return {
    id: payload.subarray(2, 22),
    tag: new DataView(payload.buffer, payload.byteOffset + 23, 4).getUint32(0, true),
  }
}

function check(text: string): Finding {
  if (/^r[1-9A-HJ-NP-Za-km-z]{24,34}(?::|-|\?dt=)\d{1,10}$/.test(text))
    return refuse('unsupported_form', 'a tag is glued to it; give the X-address, which holds the tag')
  const bytes = decodeBase58(text, 'ripple')
  if (!bytes) return refuse('bad_charset', 'it has a character that such an address never has (0, O, I, l or a sign)')
  const payload = openChecked(bytes)
  if (!payload)
    return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong or missing')
  if (payload[0] === 0 && payload.length === 21) return classic(payload, text)
  if (startsWith(payload, [0x04, 0x93]) && payload.length === 31)
    return refuse('wrong_network', 'it is an X-address of a test network')
  if (startsWith(payload, [0x05, 0x44]) && payload.length === 31) {
    const read = openX(payload)
    if (!read) return refuse('unsupported_form', 'its tag is not one of 32 bits')
    const inner = classic(new Uint8Array([0, ...read.id]), encodeChecked(new Uint8Array([0, ...read.id]), 'ripple'))
    if (!inner.ok) return inner
    return read.tag === null ? accept('x-address', text) : accept('x-address-tagged', text, warning('carries_memo'))
  }
  if (payload[0] === 0x21 || startsWith(payload, [0x01, 0xe1, 0x4b]))
    return refuse('secret_key', 'it is a secret seed; an address begins with r or X')
  return refuse('wrong_kind', 'it is not an account; give the address that begins with r or X')
}

/** The classic address and tag inside a valid X-address; null for anything else. */
export function splitXAddress(text: string): { readonly classic: string; readonly tag: number | null } | null {
  const bytes = decodeBase58(text, 'ripple')
  const payload = bytes && openChecked(bytes)
  if (payload?.length !== 31 || !(startsWith(payload, [0x05, 0x44]) || startsWith(payload, [0x04, 0x93]))) return null
  const read = openX(payload)
  return read && { classic: encodeChecked(new Uint8Array([0, ...read.id]), 'ripple'), tag: read.tag }
}

export const xrpl: AddressRules = {
  lookalike: /^(?:r[1-9A-HJ-NP-Za-km-z]{24,34}|X[1-9A-HJ-NP-Za-km-z]{46})$/,
  checksummed: true,
  check,
  testAddress: (seed) =>
    encodeChecked(new Uint8Array([0x04, 0x93, ...seed.subarray(0, 20), ...new Uint8Array(9)]), 'ripple'),
}
