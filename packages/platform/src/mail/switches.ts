// What a merchant wants to be mailed, and the signed link under each mail that ends its kind with one click. The link is
// a keyed hash over merchant and kind: it needs no row, never expires while the master key stands, and can switch off only.

import { BODY_MAX_BYTES } from '@florin/protocol'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import { recordAudit } from '../db/audit.ts'
import type { Sql } from '../db/pool.ts'
import { type Tx, withTx } from '../db/tx.ts'
import type { App } from '../http/server.ts'
import { newNonce, sendPage } from '../http/static.ts'
import { equalSecret, type Secrets } from '../secrets.ts'
import type { Wake } from '../worker/wake.ts'
import { linkPage, linkPagePolicy } from './link-page.ts'
import { enqueueNotice } from './notices.ts'
import { setOff } from './switches.store.ts'

/** Kinds of mail that can be switched off. Those about sign-in, keys, addresses, approvals and money owed cannot. */
export const mailKinds = ['paid', 'webhooks', 'weekly', 'receipts'] as const
export type MailKind = (typeof mailKinds)[number]

const names: Readonly<Record<MailKind, string>> = {
  paid: 'mails about paid orders',
  webhooks: 'mails about webhooks that are not taken',
  weekly: 'the weekly summary',
  receipts: 'receipts and refund notices to your payers',
}

const signatureOf = (secrets: Secrets, merchantId: string, kind: MailKind): string =>
  Buffer.from(secrets.keyedHash('mail switch', `${merchantId} ${kind}`)).toString('base64url')

/** @returns what stands under a mail of this kind. */
export function offOf(
  deps: { secrets: Secrets; config: { baseUrl: string } },
  merchantId: string,
  kind: MailKind,
): { label: string; url: string } {
  const token = `${kind}.${merchantId}.${signatureOf(deps.secrets, merchantId, kind)}`
  return { label: `Stop ${names[kind]}`, url: `${deps.config.baseUrl}/mail/off/${token}` }
}

function read(secrets: Secrets, token: string): { merchantId: string; kind: MailKind } | null {
  const [name = '', merchantId = '', signature = ''] = token.split('.')
  const kind = mailKinds.find((each) => each === name)
  if (kind === undefined || !equalSecret(signature, signatureOf(secrets, merchantId, kind))) return null
  return { merchantId, kind }
}

type SwitchDeps = { secrets: Secrets; config: { baseUrl: string } }

/**
 * Ends kinds of mail. The account is mailed about those that were on until now, so that nobody ends them unseen.
 * Fire `wake.mail` after the commit.
 */
export async function endKinds(
  deps: SwitchDeps,
  tx: Tx,
  { merchantId, kinds, actor }: { merchantId: string; kinds: readonly MailKind[]; actor: string },
  now: Date,
): Promise<void> {
  const ended: MailKind[] = []
  let to: string | null = null
  for (const kind of kinds) {
    const email = await setOff(tx, { merchantId, kind, now })
    if (email === null) continue
    to = email
    ended.push(kind)
  }
  if (to === null) return
  const detail = Object.fromEntries(ended.map((kind) => [kind, false]))
  await recordAudit(tx, { merchantId, actor, action: 'mails.changed', subject: merchantId, detail }, now)
  const text = [
    'From now on these are not sent:',
    ...ended.map((kind) => `- ${names[kind]}`),
    '',
    `Time:    ${now.toISOString()}`,
    `Service: ${deps.config.baseUrl}`,
    '',
    'The settings in the console switch them on again. If this was not you, sign',
    'in and end all sessions.',
    '',
  ]
  await enqueueNotice(
    tx,
    deps,
    { merchantId, to, weight: 'routine', subject: 'Mails to you were switched off', text },
    now,
  )
}

const Params = Type.Object({ token: Type.String({ maxLength: 200 }) }, { additionalProperties: false })
const GONE = {
  title: 'This link is not good',
  lines: [
    'It is not whole, the service has a new master key, or these mails cannot be ended. The settings in the console list every mail that can.',
  ],
  button: null,
}

/** GET shows what the link does; POST does it, by the page's button or by the mail program's own (RFC 8058). */
export async function mailSwitchRoutes(
  app: App,
  deps: SwitchDeps & { sql: Sql; clock: Clock; wake: { mail: Wake } },
): Promise<void> {
  const page = (reply: FastifyReply, status: number, content: Parameters<typeof linkPage>[0]): FastifyReply => {
    const nonce = newNonce()
    return sendPage(reply.request, reply, { html: linkPage(content, nonce), policy: linkPagePolicy(nonce), status })
  }
  app.get('/mail/off/:token', { schema: { hide: true, params: Params } }, async ({ params }, reply) => {
    const found = read(deps.secrets, params.token)
    if (found === null) return page(reply, 404, GONE)
    const lines = ['You can have them again at any time: the settings in the console list every mail.']
    return page(reply, 200, { title: `Stop ${names[found.kind]}?`, lines, button: 'Stop them' })
  })
  await app.register(async (scope) => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: BODY_MAX_BYTES }, (_request, _text, done) =>
        done(null, {}),
      )
    }
    scope.post<{ Params: { token: string } }>(
      '/mail/off/:token',
      { schema: { hide: true, params: Params } },
      async ({ params }, reply) => {
        const found = read(deps.secrets, params.token)
        if (found === null) return page(reply, 404, GONE)
        const { merchantId, kind } = found
        const ending = { merchantId, kinds: [kind], actor: 'mail_link' }
        await withTx(deps.sql, (tx) => endKinds(deps, tx, ending, deps.clock.now()))
        deps.wake.mail.fire()
        const lines = [`No more of ${names[found.kind]}. The settings in the console switch them on again.`]
        return page(reply, 200, { title: 'Done', lines, button: null })
      },
    )
  })
}
