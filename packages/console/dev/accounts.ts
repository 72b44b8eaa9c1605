// Invented accounts for an operator, and the change of email of whoever is signed in.
import type { Account } from '../src/accounts/queries.ts'
import type { EmailChange } from '../src/settings/email-queries.ts'
import { type Answer, type Call, found, ok, pageOf, Refusal, text } from './answer.ts'
import type { World } from './state.ts'

const DAY = 86_400_000
const names = ['Bottega Nova', 'Caffè Aurora', null, 'Libreria del Ponte', 'Officina 21', null, 'Vivaio Rossi'] as const

export function makeAccounts(world: Pick<World, 'random' | 'merchant'>, now: number): Account[] {
  const iso = (days: number) => new Date(now - days * DAY).toISOString()
  const others = names.map((name, n): Account => {
    const email =
      name === null ? `a.very.long.name.of.a.merchant.${n}@a-long-domain.example` : `shop${n}@bottega.example`
    return {
      ...{ id: `mer_${world.random.text(26)}`, email, name, created_at: iso(n * 9 + 2) },
      suspended_at: n === 1 || n === 5 ? iso(1) : null,
      closed_at: n === 5 ? iso(0.2) : null,
      email_change: n === 2 ? openChange('lost', now) : n === 3 ? openChange(`moving ${email}`, now) : null,
    }
  })
  const { id, email, name, created_at } = world.merchant
  return [...others, { id, email, name, created_at, suspended_at: null, closed_at: null, email_change: null }]
}

/** The local part of the email says what is open: `moving` waits for a mailbox, `moved` for the day, `lost` is an operator's. */
export function openChange(email: string, now: number): EmailChange | null {
  const asked: EmailChange = {
    ...{ new_email: 'cassa@bottega-nova.example', asked_by: email },
    ...{ old_mailbox: false, new_mailbox: true, effective_at: null },
  }
  if (email.startsWith('moving')) return asked
  const effective_at = new Date(now + 0.8 * DAY).toISOString()
  if (email.startsWith('moved')) return { ...asked, old_mailbox: true, effective_at }
  if (email.startsWith('lost'))
    return { ...asked, asked_by: 'operator:ops@florin.example', old_mailbox: true, effective_at }
  return null
}

function mustBeEmail(value: unknown): string {
  if (/^[^@\s]+@[^@\s]+$/.test(text(value))) return text(value)
  const message = 'The field "email" takes an email address such as name@shop.example.'
  throw new Refusal('validation_failed', message, { param: 'email' })
}

export function emailChange(world: World, { method, body }: Call): Answer {
  if (method === 'GET') return ok(world.emailChange)
  if (method === 'DELETE') {
    if (world.emailChange === null) throw new Refusal('change_not_found')
    world.emailChange = null
    return ok({})
  }
  if (!world.isFresh) throw new Refusal('confirmation_required')
  world.emailChange = {
    ...{ new_email: mustBeEmail(body.email), asked_by: world.merchant.email },
    ...{ old_mailbox: false, new_mailbox: false, effective_at: null },
  }
  return ok(world.emailChange)
}

export function accounts(world: World, { method, query, body }: Call, id: string, act: string): Answer {
  if (!world.isOperator) throw new Refusal('operator_required')
  if (method === 'GET') {
    const q = (query.get('q') ?? '').toLowerCase()
    return ok(
      pageOf(
        world.accounts.filter((each) => each.email.includes(q) || each.id.toLowerCase() === q),
        query,
      ),
    )
  }
  if (!world.isFresh) throw new Refusal('confirmation_required')
  const account = found(
    world.accounts.find((each) => each.id === id),
    'merchant_not_found',
  )
  const now = new Date().toISOString()
  if (act === 'email/cancel') {
    if (account.email_change === null) throw new Refusal('change_not_found')
    account.email_change = null
    return ok({})
  }
  if (act === 'email') {
    account.email_change = {
      ...{ new_email: mustBeEmail(body.email), asked_by: `operator:${world.merchant.email}` },
      ...{ old_mailbox: true, new_mailbox: false, effective_at: null },
    }
    return ok(account.email_change)
  }
  if (act === 'close') account.closed_at = now
  else account.suspended_at = act === 'suspend' ? now : null
  return ok(account)
}
