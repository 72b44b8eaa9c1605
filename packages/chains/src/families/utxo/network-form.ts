// How the network of another address writes the same output. Florin keeps addresses in the main network's form; on a test network
// a wallet takes that network's alone.
import { decodeBase58, encodeChecked, openChecked } from '../../encoding/base58.ts'
import { bytesOfWords, decodeBech32, encodeBech32 } from '../../encoding/bech32.ts'

interface Form {
  readonly segwit: string
  /** Version bytes of a key's hash and a script's. */
  readonly versions: readonly [number, number]
}

/** The networks that orders can be paid on. */
const forms: Readonly<Record<string, { main: Form; regtest: Form }>> = {
  btc: { main: { segwit: 'bc', versions: [0x00, 0x05] }, regtest: { segwit: 'bcrt', versions: [0x6f, 0xc4] } },
  ltc: { main: { segwit: 'ltc', versions: [0x30, 0x32] }, regtest: { segwit: 'rltc', versions: [0x6f, 0x3a] } },
}

/**
 * `address`, an address of the chain's main network, as the network writes it that `like` is an address of. Unchanged on chains
 * that write one form, and where `like` is of the main network or no address.
 */
export function asWrittenLike(chain: string, address: string, like: string): string {
  const known = forms[chain]
  return known === undefined || !isOf(known.regtest, like) ? address : (rewritten(known, address) ?? address)
}

const payloadOf = (text: string): Uint8Array | null => {
  const bytes = decodeBase58(text)
  const payload = bytes === null ? null : openChecked(bytes)
  return payload?.length === 21 ? payload : null
}

function isOf({ segwit, versions }: Form, address: string): boolean {
  if (address.toLowerCase().startsWith(`${segwit}1`)) return true
  const version = payloadOf(address)?.[0]
  return version !== undefined && versions.includes(version)
}

function rewritten({ main, regtest }: { main: Form; regtest: Form }, address: string): string | null {
  const read = decodeBech32(address)
  if (read?.prefix === main.segwit) {
    const [version = 0, ...words] = read.words
    const program = bytesOfWords(words)
    return program === null ? null : encodeBech32(regtest.segwit, program, read.variant, [version])
  }
  const payload = payloadOf(address)
  const version = payload === null ? -1 : main.versions.indexOf(payload[0] ?? -1)
  if (payload === null || version < 0) return null
  return encodeChecked(new Uint8Array([regtest.versions[version] ?? 0, ...payload.subarray(1)]))
}
