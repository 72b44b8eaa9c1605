// Filecoin: f, a protocol digit, lower-case base32 of payload and BLAKE2b-32 checksum. f1 and f3 are keys, f410f an
// Ethereum key, f2 an actor such as a multisig, f0 a number that can still change with a reorganised chain.

import { blake2b } from '@noble/hashes/blake2.js'
import { decodeLowerBase32, encodeLowerBase32 } from '../encoding/base32.ts'
import { allZero, sameBytes } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

const sizes: Readonly<Record<string, number>> = { '1': 20, '2': 20, '3': 48 }
const kinds: Readonly<Record<string, string>> = { '1': 'secp256k1', '2': 'actor', '3': 'bls' }

function checksum(protocol: readonly number[], payload: Uint8Array): Uint8Array {
  return blake2b(new Uint8Array([...protocol, ...payload]), { dkLen: 4 })
}

function checkId(digits: string): Finding {
  if (!/^(?:0|[1-9]\d{0,19})$/.test(digits)) return refuse('bad_charset', 'after f0 only a number may follow')
  const id = BigInt(digits)
  if (id >= 2n ** 64n) return refuse('bad_length', 'its number is too large')
  if (id < 100n) return refuse('not_payable', 'it is an actor of the chain itself or its burn account')
  return accept('id', `f0${digits}`, warning('reorg_unsafe'), warning('no_checksum'))
}

function check(text: string): Finding {
  if (/^t[0-4]/.test(text)) {
    // The same encoding with another letter: proven by its checksum, it is an address of a test network.
    const twin = check(`f${text.slice(1)}`)
    return twin.ok ? refuse('wrong_network', 'it is an address of a test network') : twin
  }
  if (/^0x[0-9a-fA-F]{40}$/.test(text))
    return refuse('unsupported_form', 'give the form of this address that begins with f410f')
  if (text.startsWith('f0')) return checkId(text.slice(2))
  const delegated = text.startsWith('f410f')
  if (!delegated && /^f4/.test(text))
    return refuse('unsupported_form', 'of the delegated addresses only f410f can be paid')
  const protocol = text[1] ?? ''
  const size = delegated ? 20 : sizes[protocol]
  if (!text.startsWith('f') || size === undefined)
    return refuse('bad_charset', 'it must begin with f1, f2, f3 or f410f')
  const encoded = text.slice(delegated ? 5 : 2)
  if (!/^[a-z2-7]*$/.test(encoded))
    return refuse('bad_charset', 'only the small letters a-z and the digits 2-7 can follow')
  const length = Math.ceil(((size + 4) * 8) / 5)
  if (encoded.length !== length)
    return refuse(
      'bad_length',
      `it has ${text.length} characters where ${text.length - encoded.length + length} are needed`,
    )
  const bytes = decodeLowerBase32(encoded)
  if (!bytes) return refuse('bad_checksum', 'its unused last bits are not zero, so its last character is wrong')
  const payload = bytes.subarray(0, size)
  if (!sameBytes(checksum(delegated ? [4, 10] : [Number(protocol)], payload), bytes.subarray(size)))
    return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  if (allZero(payload)) return refuse('not_payable', 'it is the zero address, which nobody can spend from')
  if (protocol === '2') return accept('actor', text, warning('contract'))
  return accept(delegated ? 'delegated' : (kinds[protocol] ?? ''), text)
}

export const filecoin: AddressRules = {
  lookalike: /^f(?:0[1-9]\d{2,19}|[123][a-z2-7]{39,84}|410f[a-z2-7]{39})$/,
  checksummed: true,
  check,
  testAddress: (seed) => {
    const payload = seed.subarray(0, 20)
    return `t1${encodeLowerBase32(new Uint8Array([...payload, ...checksum([1], payload)]))}`
  },
}
