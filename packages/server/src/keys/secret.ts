// The two secrets of a key: how they are generated, their form, and what of them may be shown or stored. An API key is
// stored only as its hash; the webhook secret is needed in plain text to sign, so it is sealed.
import { base62Checksum, randomBase62 } from '@florin/platform/ids'
import { remembered } from '@florin/platform/remembered'
import { type Sealed, type Secrets, sha256 } from '@florin/platform/secrets'

declare const text: unique symbol
/** An API key whose form and checksum are right; whether it exists is another question. */
export type ApiKeyText = string & { readonly [text]: true }

const form = /^(florin_(?:live|test)_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** 190 random bits; the checksum covers the mode too. */
export function newApiKey(livemode: boolean): ApiKeyText {
  const body = `florin_${livemode ? 'live' : 'test'}_${randomBase62(32)}`
  return `${body}${base62Checksum(body)}` as ApiKeyText
}

/** @returns null for what cannot be a key, so that a mistyped one costs no look-up. */
export function parseApiKey(given: string): ApiKeyText | null {
  const [, body, checksum] = form.exec(given) ?? []
  return body !== undefined && base62Checksum(body) === checksum ? (given as ApiKeyText) : null
}

/** A plain hash suffices: 190 bits cannot be guessed. */
export function hashOf(key: ApiKeyText): Uint8Array {
  return sha256(key)
}

/** The masked form shown in a list: `florin_live_Ab3d` and its last four characters. */
export function maskOf(key: ApiKeyText): { prefix: string; last4: string } {
  return { prefix: key.slice(0, 'florin_live_'.length + 4), last4: key.slice(-4) }
}

export function newWebhookSecret(): string {
  return `whsec_${randomBase62(32)}`
}

// The row's id is part of the seal, so a box that is copied to another row does not open.
export function webhookSecretContext(id: string): string {
  return `webhook secret ${id}`
}

export function sealWebhookSecret(secrets: Secrets, id: string, secret: string): Sealed {
  return secrets.seal(secret, webhookSecretContext(id))
}

// What was opened last: each claim of deliveries opens those that sign them, 18 µs of processor time for each without this. Whether one
// still signs is read from the database every time; and whoever reads this memory reads the master key.
const OPENED_MAX = 1_000
const openedBy = new WeakMap<Secrets, ReturnType<typeof remembered<string>>>()

export function openWebhookSecret(secrets: Secrets, row: Sealed & { id: string }): string {
  const opened = openedBy.get(secrets) ?? remembered<string>(OPENED_MAX)
  openedBy.set(secrets, opened)
  const name = `${row.id} ${row.keyId} ${Buffer.from(row.box).toString('latin1')}`
  return opened(name, () => secrets.open(row, webhookSecretContext(row.id)))
}
