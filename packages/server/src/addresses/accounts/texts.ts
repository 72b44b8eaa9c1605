// How a receiving place is written in mails and on pages of links: an address as it is, an account by its type, its
// fingerprint and its first address. The extended public key shows all payments of a wallet, so no mail holds it.
import { firstAddresses, openAccount, type ScriptType } from '@florin/accounts'
import type { Db } from '@florin/platform/db/tx'
import { listAccounts } from './store.ts'

const typeNames: Readonly<Record<ScriptType, string>> = {
  wpkh: 'native segwit',
  'sh-wpkh': 'nested segwit',
  pkh: 'legacy',
  tr: 'taproot',
}

/** @returns the text of each of these places. */
export async function placeTexts(
  db: Db,
  places: readonly (string | null)[],
): Promise<<Place extends string | null>(place: Place) => Place> {
  const accounts = await listAccounts(
    db,
    places.filter((place) => place !== null),
  )
  return <Place extends string | null>(place: Place): Place => {
    const row = accounts.get(place ?? '')
    if (row === undefined) return place
    const [first = ''] = firstAddresses(openAccount(row.descriptor, row), 1)
    const fingerprint = row.fingerprint === null ? '' : `, fingerprint ${row.fingerprint}`
    return `an account of a wallet (${typeNames[row.script]}${fingerprint}), whose first address is ${first}` as Place
  }
}
