// The link in the mail about a new API key: it revokes the key.
import { recordAudit } from '../platform/db/audit.ts'
import type { LinkAct } from '../platform/mail/links.ts'
import * as store from './store.ts'

export const keyUndo: LinkAct = {
  show: ({ detail }) => ({
    title: 'Revoke a new API key',
    lines: [`The key: ${detail.key ?? ''}`, 'It is refused from then on, and the session that made it ends.'],
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
