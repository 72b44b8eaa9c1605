// Small byte operations the families share.

export function allZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}

export function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return bytes.length >= prefix.length && prefix.every((byte, at) => bytes[at] === byte)
}

export function bigEndian(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}

export function littleEndian(bytes: Uint8Array): bigint {
  return bigEndian(bytes.slice().reverse())
}

/** True where letters of both cases occur. */
export function mixedCase(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text)
}
