// The development accounts of every anvil, funded and known to all the world.
import { pbkdf2Sync } from 'node:crypto'
import { type Hex, toHex } from 'viem'
import { type HDAccount, HDKey, hdKeyToAccount } from 'viem/accounts'

/** The words that anvil starts with. */
export const ANVIL_WORDS = 'test test test test test test test test test test test junk'

// BIP-39 by Node's own code: a hundred times as fast as the library's, which works it out for each account anew.
const master = HDKey.fromMasterSeed(pbkdf2Sync(ANVIL_WORDS, 'mnemonic', 2048, 64, 'sha512'))
const accounts = new Map<number, HDAccount>()

export function anvilAccount(addressIndex: number): HDAccount {
  const account = accounts.get(addressIndex) ?? hdKeyToAccount(master, { addressIndex })
  accounts.set(addressIndex, account)
  return account
}

export function anvilKey(addressIndex: number): Hex {
  return toHex(anvilAccount(addressIndex).getHdKey().privateKey ?? new Uint8Array())
}
