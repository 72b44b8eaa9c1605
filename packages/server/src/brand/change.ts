// Changes a merchant's brand. The card of link previews is drawn before the transaction; where somebody else changed the
// brand meanwhile, it is drawn anew.
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { newId } from '@florin/platform/ids'
import { enqueueNotice } from '@florin/platform/mail/notices'
import type { Secrets } from '@florin/platform/secrets'
import { type Asker, requireFresh } from '../callers.ts'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { contactMail } from './mail.ts'
import { drawCard, type Logo, readLogo } from './pictures.ts'
import type { Accent } from './rules.ts'
import * as store from './store.ts'

type ChangeDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes }

interface Fields {
  accent: string | null
  supportEmail: string | null
  supportUrl: string | null
}

/** Only the fields given change; null clears. */
export interface BrandChange {
  accent?: Accent | null | undefined
  supportEmail?: string | null | undefined
  supportUrl?: string | null | undefined
}

const fieldsOf = (row: store.BrandRow | null): Fields => ({
  accent: row?.accent ?? null,
  supportEmail: row?.supportEmail ?? null,
  supportUrl: row?.supportUrl ?? null,
})

const isSameContact = (a: Fields, b: Fields): boolean =>
  a.supportEmail === b.supportEmail && a.supportUrl === b.supportUrl

/**
 * Payers who look for help go where the support contact says: a stolen old session must not send them to a stranger.
 * @throws AppError confirmation_required
 */
export function changeBrand(deps: ChangeDeps, caller: Asker, change: BrandChange): Promise<void> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return write(deps, caller, 'brand.changed', (before) => {
    const fields: Fields = { ...before, ...given }
    if (!isSameContact(before, fields)) requireFresh(caller)
    return { fields, logo: 'kept', detail: { ...fields } }
  })
}

/** @throws AppError invalid_picture */
export async function setLogo(deps: ChangeDeps, caller: Asker, bytes: Uint8Array): Promise<void> {
  const logo = await readLogo(bytes, caller.id)
  const detail = { width: logo.width, height: logo.height }
  await write(deps, caller, 'brand.logo_set', (fields) => ({ fields, logo, detail }))
}

export function removeLogo(deps: ChangeDeps, caller: Asker): Promise<void> {
  return write(deps, caller, 'brand.logo_removed', (fields) => ({ fields, logo: null, detail: {} }))
}

interface Next {
  fields: Fields
  logo: Logo | null | 'kept'
  detail: Record<string, string | number | null>
}

async function write(deps: ChangeDeps, caller: Asker, action: string, decide: (before: Fields) => Next): Promise<void> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const before = await store.findBrand(deps.sql, caller.id)
    const { fields, logo, detail } = decide(fieldsOf(before))
    const shown = logo === 'kept' ? await store.findLogo(deps.sql, caller.id) : (logo?.png ?? null)
    const card = await drawCard(shown, fields.accent, caller.id)
    const isDone = await withTx(deps.sql, async (tx) => {
      const row = await store.lockBrand(tx, caller.id)
      if (row?.publicId !== before?.publicId) return false
      const now = deps.clock.now()
      const entry = { merchantId: caller.id, actor: caller.email, action, subject: caller.id, detail }
      await store.saveBrand(tx, { ...fields, merchantId: caller.id, publicId: newId('brd', now), card, now })
      if (logo !== 'kept') await store.saveLogo(tx, caller.id, logo)
      await recordAudit(tx, entry, now)
      if (!isSameContact(fieldsOf(before), fields)) {
        const words = contactMail({ before: fieldsOf(before), after: fields, at: now, baseUrl: deps.config.baseUrl })
        await enqueueNotice(tx, deps, { merchantId: caller.id, to: caller.email, weight: 'matters', ...words }, now)
      }
      return true
    })
    if (!isDone) continue
    deps.wake.mail.fire()
    return
  }
  throw new AppError('unavailable', { message: 'The brand was changed elsewhere. Try again.', retryAfterS: 1 })
}
