// What a merchant says about an account of a wallet: how many unused addresses in a row the wallet looks at, which of them were
// used, and how deep payments have to be.
import type { Chain } from '@florin/chains'
import { assert } from '@florin/platform/assert'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { makeUndoLink } from '@florin/platform/mail/links'
import { type AccountRef, isAccountRef } from '@florin/rail-kit/account-ref'
import type { Asker } from '../callers.ts'
import { type CountedAccount, findCounted, saveDepths, saveSaid, saveWalletLimit } from './accounts/counter.store.ts'
import { checkDepths, type Depth, type SaidUse, usedBelowOf } from './accounts/rules.ts'
import { lockAccount } from './accounts/store.ts'
import { audit, type ChangeDeps, tell } from './apply.ts'
import { type AccountNews, depthMail, jumpMail, limitMail } from './mails.ts'
import { findChainAddress } from './store.ts'
import type { ChainAddressRow } from './waiting.ts'

/** The link in a mail that takes such a word back. */
export const UNDO_ACCOUNT = 'receiving_account.undo'

/** What became of it, for who asked: nothing, where it is as it was. */
export interface Said {
  row: ChainAddressRow
  notes: readonly { code: string; message: string }[]
}

/** @throws AppError address_not_found where the chain has no account. */
export function setWalletLimit(deps: ChangeDeps, caller: Asker, chain: Chain, walletLimit: number): Promise<Said> {
  return changeAccount(deps, caller, chain, {
    isSame: (account) => account.walletLimit === walletLimit,
    same: `The limit was ${walletLimit} already.`,
    action: 'receiving_account.limit',
    async save(tx, account) {
      await saveWalletLimit(tx, { ...account, walletLimit })
      return { from: `${account.walletLimit}`, to: `${walletLimit}` }
    },
    mail: { words: limitMail, hasUndo: true },
  })
}

/** Counts for orders that choose the coin from now on. @param depths null: as the operator says. @throws AppError as above */
export function setDepths(
  deps: ChangeDeps,
  caller: Asker,
  chain: Chain,
  depths: readonly Depth[] | null,
): Promise<Said> {
  if (depths !== null) checkDepths(depths)
  return changeAccount(deps, caller, chain, {
    isSame: (account) => depthText(account.depths) === depthText(depths),
    same: 'Payments had to be as deep as this already.',
    action: 'receiving_account.confirmations',
    async save(tx, account) {
      await saveDepths(tx, { ...account, depths })
      return { from: depthText(account.depths), to: depthText(depths) }
    },
    mail: { words: depthMail(depthText(depths)), hasUndo: false },
  })
}

/** What the merchant says of the addresses that were used before: the counter starts behind them. */
export async function setUse(deps: ChangeDeps, caller: Asker, chain: Chain, said: SaidUse): Promise<Said> {
  const now = deps.clock.now()
  const id = accountOf(await findChainAddress(deps.sql, caller.id, chain.id))
  const known = await findCounted(deps.sql, { merchantId: caller.id, id, now })
  if (known === null) throw taken()
  // Searched for before anything is locked: it may take a second.
  const below = await usedBelowOf(known, said)
  const done = await changeAccount(deps, caller, chain, {
    isSame: (account) => account.id === id && account.saidBelow === below,
    same: 'This was said before.',
    action: 'receiving_account.used',
    async save(tx, account) {
      if (account.id !== id) throw new AppError('change_not_found')
      await saveSaid(tx, { ...account, below })
      return { from: account.saidBelow === null ? 'not said' : `${account.saidBelow}`, to: `${below}` }
    },
    mail: { words: jumpMail, hasUndo: true },
  })
  const after = await findCounted(deps.sql, { merchantId: caller.id, id, now })
  if (done.notes.length > 0 || after === null || after.nextIndex <= below) return done
  const message = `From index ${below} on, addresses were given to orders or used before: the next order gets index ${after.nextIndex}.`
  return { ...done, notes: [...done.notes, { code: 'indexes_passed_over', message }] }
}

/** @example '1 below $500, 3' */
const depthText = (depths: readonly Depth[] | null): string =>
  depths === null
    ? 'as the operator says'
    : depths
        .map(({ belowUsd, blocks }) => (belowUsd === null ? `${blocks}` : `${blocks} below $${belowUsd}`))
        .join(', ')

/** Another merchant took the account over since it was read. */
const taken = (): AppError => new AppError('address_not_found', { param: 'chain' })

/** What was set last. @throws AppError address_not_found */
function accountOf(row: ChainAddressRow): AccountRef {
  const id = [row.waiting?.address, row.address].find((place): place is AccountRef => isAccountRef(place ?? ''))
  if (id === undefined) throw new AppError('address_not_found', { param: 'chain' })
  return id
}

interface Setting {
  isSame(account: CountedAccount): boolean
  same: string
  action: string
  /** @returns what the audit says. */
  save(tx: Tx, account: CountedAccount): Promise<Record<string, string>>
  /** A change of the addresses that money is sent to has the link that takes it back. */
  mail: { words(news: AccountNews): ReturnType<typeof jumpMail>; hasUndo: boolean }
}

async function changeAccount(deps: ChangeDeps, caller: Asker, chain: Chain, setting: Setting): Promise<Said> {
  const now = deps.clock.now()
  const { id: merchantId, email, sessionId, browser } = caller
  const by = { merchantId, email, actor: email, sessionId }
  const said = await withTx(deps.sql, async (tx) => {
    const row = await findChainAddress(tx, merchantId, chain.id)
    const id = accountOf(row)
    await lockAccount(tx, id)
    const held = () => findCounted(tx, { merchantId, id, now })
    const before = await held()
    if (before === null) throw taken()
    if (setting.isSame(before)) return { row, notes: [{ code: 'nothing_changed', message: setting.same }] }
    await audit(tx, by, setting.action, chain.id, await setting.save(tx, before), now)
    const after = await held()
    assert(after !== null, 'an account stays')
    const { mail } = setting
    const detail = {
      ...{ chain: chain.id, said_before: text(before.saidBelow), said_after: text(after.saidBelow) },
      ...{ next_before: `${before.nextIndex}`, next_after: `${after.nextIndex}` },
      ...{ limit_before: `${before.walletLimit}`, limit_after: `${after.walletLimit}` },
    }
    const about = { merchantId, kind: UNDO_ACCOUNT, subject: id, detail, sessionId, browser, now }
    const undo = mail.hasUndo ? await makeUndoLink(tx, deps.config, about) : null
    const news = { chainName: chain.name, before, after, at: now, baseUrl: deps.config.baseUrl, undo }
    await tell(deps, tx, by, { weight: 'addresses', ...mail.words(news) }, now)
    return { row, notes: [] }
  })
  deps.wake.mail.fire()
  return said
}

const text = (index: bigint | null): string | null => (index === null ? null : `${index}`)
