// The pages behind the link under a mail to a payer: GET shows what it does, POST does it (RFC 8058), as often as it comes.
import { BODY_MAX_BYTES } from '@florin/protocol'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Sql } from '../db/pool.ts'
import { withTx } from '../db/tx.ts'
import type { App } from '../http/server.ts'
import { newNonce, sendPage } from '../http/static.ts'
import type { Secrets } from '../secrets.ts'
import { type Further, linkPage, linkPagePolicy } from './link-page.ts'
import { followPayerLink, type PayerAct, type PayerLink, payerLinkPath, readPayerLink } from './payers.ts'

const Params = Type.Object({ token: Type.String({ maxLength: 300 }) }, { additionalProperties: false })
const GONE = {
  title: 'This link is not good',
  lines: ['It is not whole, or the service has a new master key. A later mail has a link that works.'],
  button: null,
}

const asked: Readonly<Record<PayerAct, { title: string; lines: string[]; button: string }>> = {
  all: {
    title: 'No more mails from shops here?',
    lines: [
      'No shop that uses this service mails you invoices, receipts or refund notices any more. Pages that you have the link of stay.',
    ],
    button: 'Stop all of them',
  },
  shop: {
    title: 'No more mails from this shop?',
    lines: [
      'The shop whose mail had this link mails you no invoices, receipts or refund notices through this service any more.',
    ],
    button: 'Stop this shop’s',
  },
  again: {
    title: 'Have mails again?',
    lines: ['Shops that use this service can mail you invoices, receipts and refund notices again.'],
    button: 'Have them again',
  },
}
const done: Readonly<Record<PayerAct, string>> = {
  all: 'No shop that uses this service mails you any more.',
  shop: 'This shop does not mail you through this service any more.',
  again: 'Shops can mail you again.',
}

export async function payerPages(app: App, deps: { sql: Sql; clock: Clock; secrets: Secrets }): Promise<void> {
  const page = (reply: FastifyReply, status: number, content: Parameters<typeof linkPage>[0]): FastifyReply => {
    const nonce = newNonce()
    return sendPage(reply.request, reply, { html: linkPage(content, nonce), policy: linkPagePolicy(nonce), status })
  }
  const other = (link: PayerLink, act: PayerAct, words: { title: string; text: string; label: string }): Further => ({
    ...{ title: words.title, text: words.text },
    items: [{ text: '', label: words.label, link: payerLinkPath(deps.secrets, { ...link, act }) }],
  })
  const schema = { hide: true, params: Params }
  app.get('/mail/stop/:token', { schema }, async ({ params }, reply) => {
    const link = readPayerLink(deps.secrets, params.token)
    if (link === null) return page(reply, 404, GONE)
    const words = {
      title: 'Only this shop?',
      text: 'The others may go on mailing you.',
      label: 'Stop one shop’s mails',
    }
    return page(reply, 200, { ...asked[link.act], further: link.act === 'all' ? other(link, 'shop', words) : null })
  })
  await app.register(async (scope) => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: BODY_MAX_BYTES }, (_request, _text, ready) =>
        ready(null, {}),
      )
    }
    scope.post<{ Params: { token: string } }>('/mail/stop/:token', { schema }, async ({ params }, reply) => {
      const link = readPayerLink(deps.secrets, params.token)
      if (link === null) return page(reply, 404, GONE)
      await withTx(deps.sql, (tx) => followPayerLink(tx, link, deps.clock.now()))
      const words = { title: 'A mistake?', text: 'Nobody else can take it back.', label: 'Have mails again' }
      const further = link.act === 'again' ? null : other(link, 'again', words)
      return page(reply, 200, { title: 'Done', lines: [done[link.act]], button: null, further })
    })
  })
}
