// Output scripts and the addresses that show them. Scripts are compared, never addresses: one script has several
// spellings, and a test network's differ from the ones that merchants type. Pure.
import { hash } from 'node:crypto'
import { bech32, bech32m, createBase58check } from '@scure/base'
import type { Network } from './networks.ts'

const base58check = createBase58check((bytes: Uint8Array) => new Uint8Array(hash('sha256', bytes, 'buffer')))
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** The script of an address of this network, in hex; null: it is none that can be paid here. */
export function scriptOf(network: Network, address: string): string | null {
  return segwitScript(network.bech32, address) ?? legacyScript(network, address)
}

function segwitScript(prefix: string, address: string): string | null {
  if (!address.toLowerCase().startsWith(`${prefix}1`)) return null
  for (const code of [bech32, bech32m]) {
    const decoded = code.decodeUnsafe(address, 90)
    if (decoded === undefined || decoded.prefix !== prefix) continue
    const [version, ...words] = decoded.words
    const program = code.fromWordsUnsafe(words)
    if (version === undefined || program === undefined) return null
    // Version 0 has the old checksum, later versions the new one.
    if ((version === 0) !== (code === bech32)) continue
    const isKnown =
      version === 0 ? program.length === 20 || program.length === 32 : version === 1 && program.length === 32
    if (!isKnown) return null
    return `${version === 0 ? '00' : '51'}${program.length.toString(16)}${hex(program)}`
  }
  return null
}

function legacyScript(network: Network, address: string): string | null {
  let decoded: Uint8Array
  try {
    decoded = base58check.decode(address)
  } catch {
    return null
  }
  if (decoded.length !== 21) return null
  const body = hex(decoded.subarray(1))
  if (decoded[0] === network.pubkeyHash) return `76a914${body}88ac`
  // Litecoin takes Bitcoin's byte for script hashes as well.
  const isOld = network.chain === 'ltc' && network.name === 'main' && decoded[0] === 0x05
  return decoded[0] === network.scriptHash || isOld ? `a914${body}87` : null
}

/** How this network writes a script; null: no address stands for it. */
export function addressOf(network: Network, script: string): string | null {
  const bytes = Buffer.from(script, 'hex')
  const witness = /^(00|51)(14|20)/.exec(script)
  if (witness !== null && bytes.length === 2 + (bytes[1] ?? 0)) {
    const version = witness[1] === '00' ? 0 : 1
    if (version === 1 && bytes.length !== 34) return null
    const code = version === 0 ? bech32 : bech32m
    return code.encode(network.bech32, [version, ...code.toWords(bytes.subarray(2))], 90)
  }
  if (/^76a914[0-9a-f]{40}88ac$/.test(script))
    return base58check.encode(Buffer.concat([Buffer.from([network.pubkeyHash]), bytes.subarray(3, 23)]))
  if (/^a914[0-9a-f]{40}87$/.test(script))
    return base58check.encode(Buffer.concat([Buffer.from([network.scriptHash]), bytes.subarray(2, 22)]))
  return null
}
