// Address changes that a merchant requests: set, remove, or cancel a waiting change. Sending the current value again
// changes nothing and notifies nobody.
import type { Chain } from '@florin/chains'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { makeUndoLink } from '@florin/platform/mail/links'
import { findLastLink } from '@florin/platform/mail/links.store'
import { ADDRESS_WAIT_MS, HOUR_MS } from '@florin/protocol'
import type { Asker } from '../callers.ts'
import { lockOwners } from './accounts/ownership.store.ts'
import type { GivenAccount } from './accounts/rules.ts'
import { placeTexts } from './accounts/texts.ts'
import { type Author, audit, type ChangeDeps, newsOf, ripen, tell, writeAddress } from './apply.ts'
import { changedMail, endedMail, waitingMail } from './mails.ts'
import * as store from './store.ts'
import { claimAccount, requireFree } from './take-over.ts'
import { type ChainAddressRow, type ReceivingPlace, stepFor, type Wish } from './waiting.ts'

/** The link in a mail that reverts a change. */
export const UNDO_ADDRESS = 'receiving_address.undo'

/** @returns the row as it is afterwards: the result of a waiting change is in `waiting`. */
export async function setAddress(
  deps: ChangeDeps,
  caller: Asker,
  wanted: {
    chain: Chain
    address: ReceivingPlace
    label: string | null
    given?: GivenAccount
    signature?: string | null
  },
): Promise<ChainAddressRow> {
  const { chain, address, label, given, signature = null } = wanted
  return change(deps, caller, chain, { address, label }, given === undefined ? null : { ...given, signature })
}

/** @throws AppError address_not_found. */
export async function removeAddress(deps: ChangeDeps, caller: Asker, chain: Chain): Promise<ChainAddressRow> {
  return change(deps, caller, chain, { address: null, label: null })
}

/** @throws AppError change_not_found. */
export async function cancelChange(deps: ChangeDeps, caller: Asker, chain: Chain): Promise<void> {
  const now = deps.clock.now()
  await withTx(deps.sql, async (tx) => {
    const { by, row } = await locked(deps, tx, caller, chain, now)
    if (row.waiting === null) throw new AppError('change_not_found')
    await cancel(deps, tx, by, row, now)
  })
  deps.wake.mail.fire()
}

async function change(
  deps: ChangeDeps,
  caller: Asker,
  chain: Chain,
  wish: Wish,
  given: (GivenAccount & { signature: string | null }) | null = null,
): Promise<ChainAddressRow> {
  const now = deps.clock.now()
  const after = await withTx(deps.sql, async (tx) => {
    if (wish.address !== null) await lockOwners(tx, chain.id)
    const { by, row } = await locked(deps, tx, caller, chain, now)
    if (wish.address === null && row.address === null && row.waiting === null) {
      throw new AppError('address_not_found', { param: 'chain' })
    }
    const place = { chain: chain.id, merchantId: caller.id }
    const isTaken = given !== null && (await claimAccount(deps, tx, { ...given, ...place }, now))
    const notes = isTaken ? [TAKEN_OVER] : []
    if (given === null && wish.address !== null) await requireFree(tx, { ...place, address: wish.address })
    const step = await stepFor(row, wish, async () => ({
      hasBeenPaid: await store.hasBeenPaid(tx, caller.id),
      isFirst: !(await store.hadAddress(tx, caller.id)),
      isFresh: caller.isFresh,
      isKnownBrowser: caller.isKnownBrowser,
    }))
    switch (step.kind) {
      case 'same':
        return row
      case 'cancel':
        await cancel(deps, tx, by, row, now)
        if (wish.address !== null && wish.label !== row.label) await relabel(deps, tx, by, row, wish.label, now)
        break
      case 'label':
        if (step.of === 'address') await relabel(deps, tx, by, row, wish.label, now)
        else if (row.waiting !== null) {
          const { merchantId } = by
          await store.saveWaiting(tx, { ...row.waiting, merchantId, chain: chain.id, label: wish.label })
        }
        break
      case 'now':
        await changeNow(deps, tx, { by, browser: caller.browser, row, wish, notes, now })
        break
      case 'later':
        await changeLater(deps, tx, { by, browser: caller.browser, row, wish, notes, now })
        break
    }
    return store.findChainAddress(tx, caller.id, chain.id)
  })
  deps.wake.mail.fire()
  return after
}

async function locked(deps: ChangeDeps, tx: Tx, caller: Asker, chain: Chain, now: Date) {
  const { id: merchantId, email, sessionId } = caller
  const by: Author = { merchantId, email, actor: email, sessionId }
  await store.lockAddresses(tx, merchantId)
  const row = await store.findChainAddress(tx, merchantId, chain.id)
  return { by, row: await ripen(deps, tx, { merchantId, email }, row, now) }
}

interface Change {
  by: Author
  browser: Uint8Array | null
  row: ChainAddressRow
  wish: Wish
  /** For the mail. */
  notes: readonly string[]
  now: Date
}

async function changeNow(deps: ChangeDeps, tx: Tx, a: Change): Promise<void> {
  const { by, row, wish, now } = a
  if (row.waiting !== null) await store.deleteWaiting(tx, by.merchantId, row.chain)
  await writeAddress(tx, by, row, wish, now)
  if (wish.address !== null && (await store.makeOnlyDefault(tx, by.merchantId, row.chain)))
    await audit(tx, by, 'default_settle_chain.changed', by.merchantId, { after: row.chain }, now)
  const news = await newsOf(deps, tx, { chain: row.chain, before: row.address, after: wish.address, at: now })
  const mail = changedMail({ ...news, notes: a.notes }, await undoLink(deps, tx, a, false))
  await tell(deps, tx, by, { weight: 'addresses', ...mail }, now)
}

async function changeLater(deps: ChangeDeps, tx: Tx, a: Change): Promise<void> {
  const { by, row, wish, now } = a
  const { merchantId, sessionId, actor } = by
  const effectiveAt = new Date(now.getTime() + ADDRESS_WAIT_MS)
  const asked = { sessionId, askedBy: actor, askedAt: now, effectiveAt }
  await store.saveWaiting(tx, { ...asked, merchantId, chain: row.chain, address: wish.address, label: wish.label })
  const detail = { from: row.address, to: wish.address, label: wish.label, effective_at: effectiveAt.toISOString() }
  await audit(tx, by, 'receiving_address.change_asked', row.chain, detail, now)
  const news = await newsOf(deps, tx, { chain: row.chain, before: row.address, after: wish.address, at: now })
  const { notes } = a
  const mail = waitingMail({ ...news, notes, effectiveAt }, await undoLink(deps, tx, a, true))
  await tell(deps, tx, by, { weight: 'addresses', ...mail }, now)
}

const TAKEN_OVER =
  'Another account of this service had this wallet. You took it over with a signature of its key; the other account was told.'

/** Changes of one session that follow each other this closely are reverted together. */
const IN_A_ROW_MS = HOUR_MS

/**
 * Of several successive changes by one session each link reverts to the state before the first: a value that a thief
 * set in between is not worth restoring. A waiting change has not changed anything yet.
 */
async function undoLink(deps: ChangeDeps, tx: Tx, a: Change, waits: boolean): Promise<string> {
  const { by, browser, row, wish, now } = a
  const { merchantId, sessionId } = by
  const about = { merchantId, kind: UNDO_ADDRESS, subject: row.chain }
  const since = new Date(now.getTime() - IN_A_ROW_MS)
  const last = sessionId === null || waits ? null : await findLastLink(tx, { ...about, sessionId, since })
  const isNext = last !== null && (last.detail.after ?? null) === row.address
  const { before = null, label = null } = isNext ? last.detail : { before: row.address, label: row.label }
  const texts = await placeTexts(tx, [before ?? null, wish.address])
  const detail = {
    before,
    label,
    after: wish.address,
    before_text: texts(before ?? null),
    after_text: texts(wish.address),
  }
  return makeUndoLink(tx, deps.config, { ...about, detail, sessionId, browser, now })
}

/** Cancels a waiting change: live orders keep settling where they did, and test orders do so again. */
export async function cancel(deps: ChangeDeps, tx: Tx, by: Author, row: ChainAddressRow, now: Date): Promise<void> {
  await store.deleteWaiting(tx, by.merchantId, row.chain)
  const dropped = row.waiting?.address ?? null
  await audit(tx, by, 'receiving_address.change_canceled', row.chain, { from: dropped, to: row.address }, now)
  const news = await newsOf(deps, tx, { chain: row.chain, before: dropped, after: row.address, at: now })
  await tell(deps, tx, by, { weight: 'addresses', ...endedMail(news, 'was canceled') }, now)
}

async function relabel(
  deps: ChangeDeps,
  tx: Tx,
  by: Author,
  row: ChainAddressRow,
  label: string | null,
  now: Date,
): Promise<void> {
  const { address, chain } = row
  // Who set the address stays as it is: an undo looks for it.
  await writeAddress(tx, { ...by, sessionId: row.sessionId }, row, { address, label }, now)
  const news = await newsOf(deps, tx, { chain, before: address, after: address, at: now })
  await tell(deps, tx, by, { weight: 'routine', ...changedMail(news, null) }, now)
}
