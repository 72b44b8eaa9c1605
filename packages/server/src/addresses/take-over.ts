// Whose an account of a wallet is: one merchant's on a server, with every other account of the same wallet. The second merchant is
// refused in words that say nothing of the first. A signature by a key of the account, or the operator, gives it to another.
import { createHash } from 'node:crypto'
import {
  type Account,
  deriveAddresses,
  isAccountChain,
  isSignedBy,
  openAccount,
  overlapOf,
  scriptOfAddress,
} from '@florin/accounts'
import type { Tx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { type AccountRef, accountRef, isAccountRef } from '@florin/rail-kit/account-ref'
import { lookOn } from './accounts/counter.store.ts'
import {
  findOwned,
  giveAccount,
  isInAccount,
  listRelated,
  listSingle,
  listUnderived,
  lockOwners,
  type OwnedAccount,
  passOver,
  saveText,
} from './accounts/ownership.store.ts'
import type { GivenAccount } from './accounts/rules.ts'
import { listAccounts, saveAccount } from './accounts/store.ts'
import { placeTexts } from './accounts/texts.ts'
import { audit, type ChangeDeps, chainOf, tell, writeAddress } from './apply.ts'
import { gotMail, lostMail } from './mails.ts'
import * as store from './store.ts'

/** So many addresses of an account are compared with single addresses of other merchants. */
const COMPARED = 100

interface Claim extends GivenAccount {
  merchantId: string
  /** Of the text of the refusal, by a key of the account. */
  signature: string | null
}

/** Sets an account for a merchant, after `lockOwners`. @throws AppError wallet_in_use, validation_failed. @returns whether others had it. */
export async function claimAccount(deps: ChangeDeps, tx: Tx, claim: Claim, now: Date): Promise<boolean> {
  const { account, merchantId, from, toldBy } = claim
  const id = accountRef(account.identity)
  const related = (await listRelated(tx, { id, account, notOf: merchantId })).flatMap((row) => {
    const overlap = overlapOf(account, openAccount(row.descriptor, row))
    return overlap === null ? [] : [{ row, overlap }]
  })
  const singles = singlesIn(account, await listSingle(tx, { chain: account.chain, notOf: merchantId }))
  if (related.length === 0 && singles.length === 0) {
    await saveAccount(tx, { id, account, merchantId, from, toldBy }, now)
    return false
  }
  requireSignature(
    deps,
    claim,
    id,
    related.map(({ row }) => row),
  )
  // A text that shows a key above is another wallet's as far as this signature goes: its owner may have given away the one below.
  if (related.some(({ overlap }) => overlap === 'above'))
    throw new AppError('wallet_in_use', { param: 'address', message: ABOVE })
  const by = { actor: 'wallet signature', now }
  const covered = related.flatMap(({ row, overlap }) => (overlap === 'covered' ? [row] : []))
  for (const row of covered) await move(deps, tx, row, { ...by, merchantId })
  for (const { merchantId: loser, address } of singles)
    await lose(deps, tx, { merchantId: loser, chain: account.chain, place: address }, by)
  await saveAccount(tx, { id, account, merchantId, from, toldBy }, now)
  if (covered.some((row) => row.id === id)) await saveText(tx, { id, account, from, toldBy })
  const indexes = singles.map(({ index }) => index)
  const scripts = indexes.flatMap((index) => deriveAddresses(account, index, 1).map((one) => one.scriptPubKey))
  await passOver(tx, { id, indexes, scripts }, now)
  await lookOn(tx, id, { fromStart: true })
  if (covered.length === 0 && singles.length === 0) return false
  const getter = { merchantId, actor: by.actor, email: '', sessionId: null }
  await audit(tx, getter, 'receiving_account.taken_over', account.chain, { account: id }, now)
  return true
}

/** After `lockOwners`. @throws AppError wallet_in_use */
export async function requireFree(tx: Tx, a: { chain: string; address: string; merchantId: string }): Promise<void> {
  if (await isOfAnother(tx, a)) throw new AppError('wallet_in_use', { param: 'address', message: SINGLE })
}

/** Whether another merchant has this account, or an account with this address. */
export async function isOfAnother(tx: Tx, a: { chain: string; address: string; merchantId: string }): Promise<boolean> {
  const { chain, merchantId: notOf } = a
  if (isAccountRef(a.address)) return (await findOwned(tx, a.address))?.merchantId !== notOf
  const script = isAccountChain(chain) ? scriptOfAddress(chain, a.address) : null
  if (script === null) return false
  // The job derives them within seconds; until then they are derived here.
  const isFirst = (row: Parameters<typeof openAccount>[1] & { descriptor: string }): boolean =>
    deriveAddresses(openAccount(row.descriptor, row), 0, COMPARED).some((one) => one.scriptPubKey === script)
  return (await isInAccount(tx, { chain, script, notOf })) || (await listUnderived(tx, { chain, notOf })).some(isFirst)
}

/** The operator gives an account to a merchant. @returns false where the account is the merchant's already; null: there is none. */
export async function giveByOperator(
  deps: ChangeDeps,
  tx: Tx,
  a: { id: AccountRef; merchantId: string; now: Date },
): Promise<boolean | null> {
  const chain = (await listAccounts(tx, [a.id])).get(a.id)?.chain
  if (chain === undefined) return null
  await lockOwners(tx, chain)
  const row = await findOwned(tx, a.id)
  if (row === null || row.merchantId === a.merchantId) return row === null ? null : false
  const by = { actor: 'operator', now: a.now }
  await move(deps, tx, row, { ...by, merchantId: a.merchantId })
  await lookOn(tx, row.id, { fromStart: true })
  const email = await store.lockAddresses(tx, a.merchantId)
  const getter = { merchantId: a.merchantId, email, actor: by.actor, sessionId: null }
  await audit(tx, getter, 'receiving_account.taken_over', row.chain, { account: row.id }, a.now)
  const place = (await placeTexts(tx, [row.id]))(row.id)
  const mail = gotMail({ chainName: chainOf(row.chain).name, place, at: a.now, baseUrl: deps.config.baseUrl })
  await tell(deps, tx, getter, { weight: 'addresses', ...mail }, a.now)
  return true
}

interface By {
  actor: string
  now: Date
}

async function move(deps: ChangeDeps, tx: Tx, row: OwnedAccount, by: By & { merchantId: string }): Promise<void> {
  await giveAccount(tx, { id: row.id, merchantId: by.merchantId })
  await lose(deps, tx, { merchantId: row.merchantId, chain: row.chain, place: row.id }, by)
}

/** New orders of the merchant are given nothing there any more; orders that have an address finish on it. */
async function lose(
  deps: ChangeDeps,
  tx: Tx,
  a: { merchantId: string; chain: string; place: string },
  { actor, now }: By,
): Promise<void> {
  const { merchantId, chain, place } = a
  const email = await store.lockAddresses(tx, merchantId)
  const row = await store.findChainAddress(tx, merchantId, chain)
  const by = { merchantId, email, actor, sessionId: null }
  if (row.waiting?.address === place) await store.deleteWaiting(tx, merchantId, chain)
  if (row.address === place) await writeAddress(tx, by, row, { address: null, label: null }, now)
  await audit(tx, by, 'receiving_account.lost', chain, { account: place }, now)
  const text = (await placeTexts(tx, [place]))(place)
  const mail = lostMail({ chainName: chainOf(chain).name, place: text, at: now, baseUrl: deps.config.baseUrl })
  await tell(deps, tx, by, { weight: 'addresses', ...mail }, now)
}

function singlesIn(
  account: Account,
  singles: readonly { merchantId: string; address: string }[],
): { merchantId: string; address: string; index: number }[] {
  if (singles.length === 0) return []
  const all = deriveAddresses(account, 0, COMPARED)
  return singles.flatMap(({ merchantId, address }) => {
    const script = scriptOfAddress(account.chain, address)
    const index = all.findIndex((one) => one.scriptPubKey === script)
    return index === -1 ? [] : [{ merchantId, address, index }]
  })
}

/** @throws AppError wallet_in_use, validation_failed */
function requireSignature(deps: ChangeDeps, claim: Claim, id: AccountRef, held: readonly OwnedAccount[]): void {
  const { account, merchantId, signature } = claim
  const text = textToSign(deps, { id, chain: account.chain, network: account.network, merchantId, held })
  if (signature === null) throw new AppError('wallet_in_use', { param: 'address', message: wayOut(text) })
  if (isSignedBy(account, text, signature.trim())) return
  throw new AppError('validation_failed', { param: 'signature', message: unsigned(text) })
}

/** It counts for this service, this account and merchant, and until the account changes hands again. */
function textToSign(
  { config, secrets }: Pick<ChangeDeps, 'config' | 'secrets'>,
  a: {
    id: string
    chain: string
    network: string
    merchantId: string
    held: readonly Pick<OwnedAccount, 'id' | 'turn'>[]
  },
): string {
  const turns = a.held.map(({ id, turn }) => `${id} ${turn}`).sort()
  const code = secrets.keyedHash('wallet take-over', [a.id, a.merchantId, ...turns].join('\n'))
  const short = createHash('sha256').update(code).digest('hex').slice(0, 16)
  return `${config.baseUrl}: ${a.merchantId} takes over wallet account ${a.id} on ${a.chain} ${a.network}, code ${short}`
}

const IN_USE = 'This wallet is in use by another account of this service.'
const SINGLE = `${IN_USE} Set an address of another wallet, or the account itself with a signature of its key.`
const ABOVE = `${IN_USE} A key that stands above this one is in use too, so a signature of this one is not enough. Set another account of the wallet, or ask the operator of this service.`
const wayOut = (text: string): string =>
  `${IN_USE} Set another account of the wallet. If this one is yours, sign this line with one of its addresses and send the signature as "signature", or ask the operator: ${text}`
const unsigned = (text: string): string =>
  `No key of this account made this signature. Sign exactly this line with one of its first 100 addresses, in the wallet's form for messages (BIP-137): ${text}`
