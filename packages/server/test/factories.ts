// The making of what tests stand on, through the real stores: nothing here writes SQL of its own.

import type { Network } from '@florin/accounts'
import { only } from '@florin/platform/assert'
import { withTx } from '@florin/platform/db/tx'
import { newId } from '@florin/platform/ids'
import type { KeyMode, Scope } from '@florin/protocol'
import { CONSOLE_TOKEN_MS } from '@florin/protocol'
import { setWalletLimit } from '../src/addresses/account-settings.ts'
import { setAddress } from '../src/addresses/change.ts'
import { parsePlace, parseReceivingAddress } from '../src/addresses/rules.ts'
import { saveSwitch } from '../src/addresses/third-party.store.ts'
import type { Asker } from '../src/callers.ts'
import type { Deps } from '../src/deps.ts'
import { createKey } from '../src/keys/change.ts'
import { confirmSession } from '../src/login/confirmation.store.ts'
import { parseEmail } from '../src/login/rules.ts'
import { insertMerchant, insertSession } from '../src/login/store.ts'
import { makeTokens } from '../src/login/token.ts'
import { parseChain } from '../src/parse-chain.ts'

export interface TestMerchant extends Asker {
  no: number
  token: string
  /** Headers of a console request: `app.inject({ url, headers: merchant.headers })`. */
  headers: { authorization: string }
}

/** Somebody whose sign-in is fresh and whose browser is known, for acts that are called without HTTP. */
export const anAsker = (id: string, email = 'owner@shop.example', sessionId = 'ses_test'): Asker => ({
  id,
  email,
  sessionId,
  isFresh: true,
  isKnownBrowser: true,
  browser: null,
})

/** The session of this merchant has just been confirmed by a mailed code. */
export function freshen(deps: Pick<Deps, 'sql' | 'clock'>, merchant: TestMerchant): Promise<unknown> {
  return withTx(deps.sql, (tx) => confirmSession(tx, merchant.sessionId, deps.clock.now()))
}

let made = 0

/** A merchant with a live session. Without an email it gets one of its own. */
export async function aMerchant(
  deps: Pick<Deps, 'sql' | 'clock' | 'secrets'>,
  email = `merchant${++made}@shop.example`,
): Promise<TestMerchant> {
  const now = deps.clock.now()
  const expiresAt = new Date(now.getTime() + CONSOLE_TOKEN_MS)
  const sessionId = newId('ses', now)
  const merchant = await withTx(deps.sql, async (tx) => {
    const row = only(await insertMerchant(tx, { id: newId('mer', now), email: parseEmail(email), now }), 'merchant')
    const session = { id: sessionId, userAgent: 'test', ip: '127.0.0.1', createdAt: now, lastSeenAt: now, expiresAt }
    await insertSession(tx, { ...session, merchantId: row.id })
    return row
  })
  const token = await makeTokens(deps.secrets).sign({ merchantId: merchant.id, sessionId }, now, expiresAt)
  const { id, no } = merchant
  return { ...anAsker(id, merchant.email, sessionId), no, token, headers: { authorization: `Bearer ${token}` } }
}

export interface TestApiKey {
  id: string
  merchantId: string
  merchantNo: number
  livemode: boolean
  apiKey: string
  webhookSecret: string
  /** Headers of a /v1 request. */
  headers: { 'x-api-key': string }
}

/** An API key of this merchant: a test key with the default scopes, unless said otherwise. */
export async function anApiKey(
  deps: Deps,
  merchant: TestMerchant,
  a: { name?: string; mode?: KeyMode; scopes?: readonly Scope[]; expiresAt?: Date } = {},
): Promise<TestApiKey> {
  const { key, apiKey, webhookSecret } = await createKey(deps, merchant, {
    name: a.name ?? 'a test key',
    mode: a.mode ?? 'test',
    scopes: a.scopes,
    expiresAt: a.expiresAt ?? null,
  })
  const { id, livemode } = key
  return {
    id,
    merchantId: merchant.id,
    merchantNo: merchant.no,
    livemode,
    apiKey,
    webhookSecret,
    headers: { 'x-api-key': apiKey },
  }
}

/** Sets a receiving address of this merchant as the console does. @returns it in canonical form. */
export async function aReceivingAddress(
  deps: Deps,
  merchant: TestMerchant,
  chain = 'base',
  address = '0x52908400098527886E0F7030069857D2E4169EE7',
): Promise<string> {
  const found = parseChain(chain, 'chain')
  const parsed = parseReceivingAddress(found, address)
  await setAddress(deps, merchant, { chain: found, address: parsed.address, label: null })
  return parsed.address
}

/** Sets an account of a wallet as receiving address and lets its counter begin. @returns the account's reference. */
export async function aReceivingAccount(
  deps: Deps,
  merchant: Asker,
  a: { chain: string; text: string; network?: Network; walletLimit?: number },
): Promise<string> {
  const chain = parseChain(a.chain, 'chain')
  const text = { text: a.text, script: null, walletAddress: null }
  const { place, given } = parsePlace(chain, text, { [chain.id]: a.network ?? 'main' })
  await setAddress(deps, merchant, { chain, address: place, label: null, ...(given === null ? {} : { given }) })
  // As after the whole chain was read and showed nothing: the job itself would derive a hundred addresses for each test.
  await deps.sql`
    update receiving_accounts set examined_at = coalesce(examined_at, ${deps.clock.now()}), history = 'whole' where id = ${place}`
  const { walletLimit } = a
  if (walletLimit !== undefined) await setWalletLimit(deps, merchant, chain, walletLimit)
  return place
}

/** The switch of a third party as it was set long ago: it counts already. */
export function aThirdParty(
  deps: Pick<Deps, 'sql' | 'clock'>,
  a: { merchantId: string; livemode: boolean; chain: string; isOn: boolean; takesUnproven: boolean },
): Promise<unknown> {
  const { merchantId, livemode, chain, ...wished } = a
  const row = { chain, wished, until: null, updatedAt: deps.clock.now(), sessionId: null }
  return withTx(deps.sql, (tx) => saveSwitch(tx, { merchantId, livemode, ...row }))
}
