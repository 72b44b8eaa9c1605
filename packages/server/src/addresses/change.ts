// Every change of a receiving address: the row, its history, the audit entry and the merchant's mail are one
// transaction. Sending the same address again changes nothing and tells nobody.
import type { Chain, ChainAddress } from '@florin/chains'
import type { MerchantCaller } from '../callers.ts'
import type { Deps } from '../deps.ts'
import { recordAudit } from '../platform/db/audit.ts'
import { type Tx, withTx } from '../platform/db/tx.ts'
import { AppError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { enqueueMail, NOTICE_KEPT_MS } from '../platform/mail/enqueue.ts'
import { addressMail } from './mails.ts'
import * as store from './store.ts'

type ChangeDeps = Pick<Deps, 'sql' | 'clock' | 'secrets' | 'config' | 'wake'>
type Caller = Pick<MerchantCaller, 'id' | 'email'>
type StoredAddress = Pick<store.ReceivingAddress, 'chain' | 'address' | 'label' | 'updatedAt'>

export async function setAddress(
  deps: ChangeDeps,
  caller: Caller,
  wanted: { chain: Chain; address: ChainAddress; label: string | null },
): Promise<StoredAddress> {
  const now = deps.clock.now()
  const { chain, address, label } = wanted
  const stored = await withTx(deps.sql, async (tx) => {
    await store.lockAddresses(tx, caller.id)
    const before = await store.findReceivingAddress(tx, caller.id, chain.id)
    if (before !== null && before.address === address && before.label === label) return before
    const change = { merchantId: caller.id, chain: chain.id, address, label }
    await Promise.all([store.saveAddress(tx, change, now), tell(deps, tx, { caller, chain, change, before, now })])
    return { chain: chain.id, address, label, updatedAt: now }
  })
  deps.wake.mail.fire()
  return stored
}

/** @throws AppError address_not_found. */
export async function removeAddress(deps: ChangeDeps, caller: Caller, chain: Chain): Promise<void> {
  const now = deps.clock.now()
  await withTx(deps.sql, async (tx) => {
    await store.lockAddresses(tx, caller.id)
    const before = await store.findReceivingAddress(tx, caller.id, chain.id)
    if (before === null) throw new AppError('address_not_found', { param: 'chain' })
    const change = { merchantId: caller.id, chain: chain.id, address: null, label: null }
    await Promise.all([
      store.deleteAddress(tx, caller.id, chain.id),
      tell(deps, tx, { caller, chain, change, before, now }),
    ])
  })
  deps.wake.mail.fire()
}

async function tell(
  deps: ChangeDeps,
  tx: Tx,
  a: { caller: Caller; chain: Chain; change: store.AddressChange; before: StoredAddress | null; now: Date },
): Promise<void> {
  const { caller, chain, change, before, now } = a
  const mail = addressMail(caller.email, {
    chainName: chain.name,
    before: before?.address ?? null,
    after: change.address,
    at: now,
    baseUrl: deps.config.baseUrl,
  })
  const entry = {
    merchantId: caller.id,
    actor: caller.email,
    action: change.address === null ? 'receiving_address.removed' : 'receiving_address.changed',
    subject: chain.id,
    detail: { from: before?.address ?? null, to: change.address, label: change.label },
  }
  await Promise.all([
    store.insertHistory(tx, { ...change, id: newId('adr', now), changedBy: caller.email }, now),
    recordAudit(tx, entry, now),
    enqueueMail(tx, deps.secrets, mail, { now, dropAfter: new Date(now.getTime() + NOTICE_KEPT_MS) }),
  ])
}
