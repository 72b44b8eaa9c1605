// Flow: 0x and 16 hexadecimal digits that form a word of the chain's [64, 45] code. Test networks use the same code shifted
// by a constant, so the network can be told. Flow EVM addresses (40 digits) belong to another chain id.

import { mixedCase } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse } from '../verdict.ts'

// Columns of the parity-check matrix after the first nineteen, which are the powers of two.
const columns = [
  ...Array.from({ length: 19 }, (_, bit) => 1 << bit),
  0x7328d,
  0x6689a,
  0x6112f,
  0x6084b,
  0x433fd,
  0x42aab,
  0x41951,
  0x233ce,
  0x22a81,
  0x21948,
  0x1ef60,
  0x1deca,
  0x1c639,
  0x1bdd8,
  0x1a535,
  0x194ac,
  0x18c46,
  0x1632b,
  0x1529b,
  0x14a43,
  0x13184,
  0x12942,
  0x118c1,
  0x0f812,
  0x0e027,
  0x0d00e,
  0x0c83c,
  0x0b01d,
  0x0a831,
  0x0982b,
  0x07034,
  0x0682a,
  0x05819,
  0x03807,
  0x007d2,
  0x00727,
  0x0068e,
  0x0067c,
  0x0059d,
  0x004eb,
  0x003b4,
  0x0036a,
  0x002d9,
  0x001c7,
  0x0003f,
]
const testnet = 0x6834ba37b3980209n
const emulator = 0x1cb159857af02018n

function isCodeWord(word: bigint): boolean {
  let parity = 0
  columns.forEach((column, bit) => {
    if ((word >> BigInt(bit)) & 1n) parity ^= column
  })
  return parity === 0
}

function check(text: string): Finding {
  if (/^0x[0-9a-fA-F]{40}$/.test(text))
    return refuse('unsupported_form', "it is an address of the chain's EVM side; give the one of 16 digits")
  if (/^[0-9a-fA-F]{16}$/.test(text)) return refuse('unsupported_form', 'it must begin with 0x')
  if (!/^0x[0-9a-fA-F]+$/.test(text)) return refuse('bad_charset', 'it must be 0x followed by 16 hexadecimal digits')
  if (text.length !== 18)
    return refuse('bad_length', `it has ${text.length - 2} hexadecimal digits where 16 are needed`)
  if (mixedCase(text.slice(2))) return refuse('bad_charset', 'it mixes upper and lower case')
  const word = BigInt(text)
  if (word === 0n) return refuse('not_payable', 'it is the zero address, which nobody can spend from')
  if (isCodeWord(word)) return accept('account', text.toLowerCase())
  if (isCodeWord(word ^ testnet) || isCodeWord(word ^ emulator))
    return refuse('wrong_network', 'it is an address of a test network')
  return refuse('bad_checksum', 'it is no code word of this chain, so at least one digit is wrong')
}

/** The word made by setting the free bits of the code (19 to 63), for test addresses. */
function flowWord(message: bigint): bigint {
  const high = (message & (2n ** 45n - 1n)) << 19n
  let parity = 0
  columns.forEach((column, bit) => {
    if ((high >> BigInt(bit)) & 1n) parity ^= column
  })
  return high | BigInt(parity)
}

export const flow: AddressRules = {
  lookalike: /^0x[0-9a-fA-F]{16}$/,
  checksummed: true,
  check,
  testAddress: (seed) => {
    const message = seed.subarray(0, 5).reduce((value, byte) => value * 256n + BigInt(byte), 0n)
    return `0x${(flowWord(message) ^ testnet).toString(16).padStart(16, '0')}`
  },
}
