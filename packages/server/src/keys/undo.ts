// The link that revokes a key: in the mail about a new key, and on the page of a link that ended a session, for each key
// that this session was shown.
import { recordAudit } from '@florin/platform/db/audit'
import type { Tx } from '@florin/platform/db/tx'
import { type Further, type LinkAct, type MailLink, makeLink } from '@florin/platform/mail/links'
import type { Config } from '../settings.ts'
import { UNDO_KEY } from './change.ts'
import { shortOf } from './mails.ts'
import * as store from './store.ts'

const LISTED_MAX = 100

export const keyUndo: LinkAct = {
  show: ({ detail, sessionId }) => ({
    title: 'Revoke an API key',
    lines: [
      `The key: ${detail.key ?? ''}`,
      sessionId === null
        ? 'It is refused from then on.'
        : 'It is refused from then on, and the session that made it ends.',
    ],
    button: 'Revoke the key',
  }),
  async act(tx, { merchantId, subject }, now) {
    const key = await store.lockKey(tx, merchantId, subject)
    if (key === null || key.revokedAt !== null) return 'The key was revoked already.'
    await store.changeKey(tx, key.id, { ...key, revokedAt: now })
    const entry = { merchantId, actor: 'mail_link', action: 'api_key.revoked', subject: key.id }
    await recordAudit(tx, { ...entry, detail: { name: key.name } }, now)
    return 'The key is revoked.'
  },
}

/** What the session that a link has ended may still know: keys that it made or rotated. */
export async function keysOfEnded(
  deps: { config: Config },
  tx: Tx,
  { merchantId, sessionId }: MailLink,
  now: Date,
): Promise<Further | null> {
  if (sessionId === null) return null
  const keys = await store.listShownTo(tx, { merchantId, sessionId, now, limit: LISTED_MAX })
  if (keys.length === 0) return null
  const items: Further['items'][number][] = []
  for (const key of keys) {
    const about = { merchantId, kind: UNDO_KEY, subject: key.id, detail: { key: shortOf(key) } }
    const link = await makeLink(tx, { ...about, sessionId: null, browser: null, baseUrl: deps.config.baseUrl, now })
    const how = key.shownAt > key.createdAt ? 'rotated' : 'made'
    const mode = key.livemode ? 'live' : 'test'
    items.push({
      text: `${shortOf(key)}, ${mode}, ${how} ${key.shownAt.toISOString()}`,
      link,
      label: 'Revoke this key',
    })
  }
  const more = keys.length < LISTED_MAX ? '' : ' There may be more than are listed: see API keys in the console.'
  return {
    title: 'API keys that this session knows',
    text: `It made or rotated these, and they work until they are revoked. Revoke those that you did not make.${more}`,
    items,
  }
}
