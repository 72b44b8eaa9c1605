// Writes a partially signed transaction (BIP-174, version 0; taproot fields by BIP-371) that pays from addresses of one
// wallet. Pure.
import type { ScriptType } from '@florin/accounts'

/** Where the key of an input or of change stands in the wallet. */
export interface KeyPlace {
  script: ScriptType
  /** Compressed, in hexadecimal. */
  publicKey: string
  /** Of nested segwit. */
  redeemScript: string | null
  /** Of the wallet's top key, eight hexadecimal digits. */
  fingerprint: string
  path: readonly number[]
}

export interface PsbtInput {
  txid: string
  vout: number
  amount: bigint
  /** In hexadecimal. */
  scriptPubKey: string
  /** The whole transaction that it spends of; null: only where the script is segwit. */
  previous: Buffer | null
  key: KeyPlace
}

export interface PsbtOutput {
  amount: bigint
  scriptPubKey: string
  /** Of change: the wallet recognises it as its own. */
  key: KeyPlace | null
}

/** Replaceable by fee, as wallets make them. */
const SEQUENCE = 0xfffffffd
const MAGIC = Buffer.from('70736274ff', 'hex')
const END = Buffer.from([0])

export function writePsbt(inputs: readonly PsbtInput[], outputs: readonly PsbtOutput[]): Buffer {
  const unsigned = Buffer.concat([
    u32(2),
    size(inputs.length),
    ...inputs.flatMap(({ txid, vout }) => [Buffer.from(txid, 'hex').reverse(), u32(vout), size(0), u32(SEQUENCE)]),
    size(outputs.length),
    ...outputs.map(outputBytes),
    u32(0),
  ])
  return Buffer.concat([
    ...[MAGIC, entry(0x00, '', unsigned), END],
    ...inputs.flatMap((input) => [...inputEntries(input), END]),
    ...outputs.flatMap((output) => [...outputEntries(output), END]),
  ])
}

function inputEntries(input: PsbtInput): Buffer[] {
  const { key, previous } = input
  const isSegwit = key.script !== 'pkh'
  return [
    ...(previous === null || key.script === 'tr' ? [] : [entry(0x00, '', previous)]),
    ...(isSegwit ? [entry(0x01, '', outputBytes(input))] : []),
    ...(key.redeemScript === null ? [] : [entry(0x04, '', Buffer.from(key.redeemScript, 'hex'))]),
    ...(key.script === 'tr'
      ? [entry(0x16, xOnly(key), taprootPlace(key)), entry(0x17, '', Buffer.from(xOnly(key), 'hex'))]
      : [entry(0x06, key.publicKey, place(key))]),
  ]
}

function outputEntries({ key }: PsbtOutput): Buffer[] {
  if (key === null) return []
  if (key.script === 'tr')
    return [entry(0x05, '', Buffer.from(xOnly(key), 'hex')), entry(0x07, xOnly(key), taprootPlace(key))]
  const redeem = key.redeemScript === null ? [] : [entry(0x00, '', Buffer.from(key.redeemScript, 'hex'))]
  return [...redeem, entry(0x02, key.publicKey, place(key))]
}

const xOnly = ({ publicKey }: KeyPlace): string => publicKey.slice(2)

const place = ({ fingerprint, path }: KeyPlace): Buffer =>
  Buffer.concat([Buffer.from(fingerprint, 'hex'), ...path.map(u32)])

/** In no leaf of a script tree. */
const taprootPlace = (key: KeyPlace): Buffer => Buffer.concat([size(0), place(key)])

function outputBytes({ amount, scriptPubKey }: { amount: bigint; scriptPubKey: string }): Buffer {
  const script = Buffer.from(scriptPubKey, 'hex')
  const value = Buffer.alloc(8)
  value.writeBigUInt64LE(amount)
  return Buffer.concat([value, size(script.length), script])
}

/** @param keyData in hexadecimal. */
function entry(type: number, keyData: string, value: Buffer): Buffer {
  const key = Buffer.concat([Buffer.from([type]), Buffer.from(keyData, 'hex')])
  return Buffer.concat([size(key.length), key, size(value.length), value])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function size(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value])
  if (value <= 0xffff) {
    const bytes = Buffer.alloc(3, 0xfd)
    bytes.writeUInt16LE(value, 1)
    return bytes
  }
  const bytes = Buffer.alloc(5, 0xfe)
  bytes.writeUInt32LE(value, 1)
  return bytes
}
