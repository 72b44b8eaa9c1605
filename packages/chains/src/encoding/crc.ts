// Cyclic redundancy checks that @scure/base and @noble/hashes do not have, bit by bit: inputs are under 130 bytes.

/** CRC-16/XMODEM: polynomial 0x1021, start 0. TON stores it big-endian, Stellar little-endian. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return crc
}

/** CRC-32 as in zip: reflected polynomial 0xedb88320. Byron Cardano and the Internet Computer use it. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

/** The CRC-32 as four big-endian bytes. */
export function crc32Bytes(bytes: Uint8Array): Uint8Array {
  const crc = crc32(bytes)
  return Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc)
}
