// The name of a wallet's account where an address could stand: in receiving addresses, orders and legs. It says nothing of
// the wallet: the extended public key, which shows all its payments, stands in one table. Pure.
declare const made: unique symbol
/** `acct_` and 26 characters, made of the account's identity. */
export type AccountRef = string & { readonly [made]: true }

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const shape = /^acct_[0-9a-hjkmnp-tv-z]{26}$/

/** @param identity 64 hexadecimal digits (`@florin/accounts`). */
export function accountRef(identity: string): AccountRef {
  const bits = BigInt(`0x${identity}`)
  const letters = Array.from({ length: 26 }, (_, n) => alphabet.charAt(Number((bits >> BigInt(5 * n)) & 31n)))
  return brand(`acct_${letters.join('')}`)
}

/** No chain has an address of this shape. */
export const isAccountRef = (text: string): text is AccountRef => shape.test(text)

function brand(text: string): AccountRef {
  return text as AccountRef
}
