// The pages behind the link under a mail to a payer: GET shows what it does, POST does it (RFC 8058), as often as it comes.
import { BODY_MAX_BYTES } from '@florin/protocol'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { localeOfHeader } from '../accept-language.ts'
import type { Clock } from '../clock.ts'
import type { Sql } from '../db/pool.ts'
import { withTx } from '../db/tx.ts'
import type { App } from '../http/server.ts'
import { newNonce, sendPage } from '../http/static.ts'
import type { Secrets } from '../secrets.ts'
import { type Further, linkPage, linkPagePolicy } from './link-page.ts'
import { type PayerTongue, tongueOf } from './payer-words/index.ts'
import { followPayerLink, type PayerAct, type PayerLink, payerLinkPath, readPayerLink } from './payers.ts'

const Params = Type.Object({ token: Type.String({ maxLength: 300 }) }, { additionalProperties: false })

export async function payerPages(app: App, deps: { sql: Sql; clock: Clock; secrets: Secrets }): Promise<void> {
  type Content = Omit<Parameters<typeof linkPage>[0], 'language' | 'hint'>
  const page = (
    reply: FastifyReply,
    { say, language }: PayerTongue,
    status: number,
    content: Content,
  ): FastifyReply => {
    const nonce = newNonce()
    const html = linkPage({ ...content, language, hint: say('button_hint') }, nonce)
    return sendPage(reply.request, reply, { html, policy: linkPagePolicy(nonce), status })
  }
  const gone = (reply: FastifyReply, tongue: PayerTongue): FastifyReply =>
    page(reply, tongue, 404, { title: tongue.say('gone_title'), lines: [tongue.say('gone_text')], button: null })
  const other = (link: PayerLink, act: PayerAct, { say }: PayerTongue, name: 'only_shop' | 'mistake'): Further => ({
    title: say(`${name}_title`),
    text: say(`${name}_text`),
    items: [{ text: '', label: say(`${name}_link`), link: payerLinkPath(deps.secrets, { ...link, act }) }],
  })
  const schema = { hide: true, params: Params }
  app.get('/mail/stop/:token', { schema }, async (request, reply) => {
    const tongue = tongueOf(localeOfHeader(request.headers['accept-language']))
    const link = readPayerLink(deps.secrets, request.params.token)
    if (link === null) return gone(reply, tongue)
    const { say } = tongue
    const { act } = link
    const content = { title: say(`${act}_title`), lines: [say(`${act}_text`)], button: say(`${act}_button`) }
    return page(reply, tongue, 200, {
      ...content,
      further: act === 'all' ? other(link, 'shop', tongue, 'only_shop') : null,
    })
  })
  await app.register(async (scope) => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: BODY_MAX_BYTES }, (_request, _text, ready) =>
        ready(null, {}),
      )
    }
    scope.post<{ Params: { token: string } }>('/mail/stop/:token', { schema }, async (request, reply) => {
      const tongue = tongueOf(localeOfHeader(request.headers['accept-language']))
      const link = readPayerLink(deps.secrets, request.params.token)
      if (link === null) return gone(reply, tongue)
      await withTx(deps.sql, (tx) => followPayerLink(tx, link, deps.clock.now()))
      const { say } = tongue
      const further = link.act === 'again' ? null : other(link, 'again', tongue, 'mistake')
      return page(reply, tongue, 200, { title: say('done'), lines: [say(`${link.act}_done`)], button: null, further })
    })
  })
}
