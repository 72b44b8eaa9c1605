// The checksum of output descriptors (BIP-380). Pure.

const inputCharset = '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ '
const checksumCharset = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn] as const

function step(state: bigint, value: number): bigint {
  const top = state >> 35n
  let next = ((state & 0x7ffffffffn) << 5n) ^ BigInt(value)
  generators.forEach((generator, bit) => {
    if ((top >> BigInt(bit)) & 1n) next ^= generator
  })
  return next
}

/** Eight characters; null where the text has a character that no descriptor has. */
export function descriptorChecksum(text: string): string | null {
  let state = 1n
  let group = 0
  let count = 0
  for (const letter of text) {
    const at = inputCharset.indexOf(letter)
    if (at < 0) return null
    state = step(state, at & 31)
    group = group * 3 + (at >> 5)
    if (++count === 3) {
      state = step(state, group)
      group = 0
      count = 0
    }
  }
  if (count > 0) state = step(state, group)
  for (let n = 0; n < 8; n++) state = step(state, 0)
  state ^= 1n
  return Array.from({ length: 8 }, (_, n) => checksumCharset[Number((state >> BigInt(5 * (7 - n))) & 31n)]).join('')
}
