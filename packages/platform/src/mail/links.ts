// One-click links in mails. Only the mailbox knows the token: its hash is stored. A GET shows what the link does, so a
// scanner that opens it does nothing; a POST does it, once.
import { HOUR_MS, MAIL_LINK_MS, SECOND_MS } from '@florin/protocol'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Sql } from '../db/pool.ts'
import { type Tx, withTx } from '../db/tx.ts'
import { AppError } from '../errors.ts'
import { useForms } from '../http/json.ts'
import type { App } from '../http/server.ts'
import { newNonce, sendPage } from '../http/static.ts'
import { newId, randomBase62 } from '../ids.ts'
import { sha256 } from '../secrets.ts'
import type { Wake } from '../worker/wake.ts'
import { type Further, linkPage, linkPagePolicy } from './link-page.ts'
import { countLinks, findLink, insertLink, type MailLink, useLink } from './links.store.ts'

export type { Further } from './link-page.ts'
export type { MailLink } from './links.store.ts'

/** What one kind of link does. */
export interface LinkAct {
  /** Before the click: what it will do. */
  show(link: MailLink): { title: string; lines: readonly string[]; button: string }
  /** Performs it in the transaction that uses up the link. @returns the result, in a sentence. */
  act(tx: Tx, link: MailLink, now: Date): Promise<string>
}

/** @returns the address of a new link, which works once, within 72 hours unless said otherwise. */
export async function makeLink(
  tx: Tx,
  a: Omit<MailLink, 'id' | 'createdAt'> & { baseUrl: string; now: Date; expiresAt?: Date; path?: string },
): Promise<string> {
  const { baseUrl, now, expiresAt = new Date(now.getTime() + MAIL_LINK_MS), path = '/mail/', ...link } = a
  const token = randomBase62(32)
  await insertLink(tx, { ...link, id: newId('lnk', now), createdAt: now, tokenHash: hashOf(token), expiresAt })
  return `${baseUrl}${path}${token}`
}

/** More requested changes of one kind than this, per session and hour, are not a person's work. */
const ASKED_AN_HOUR_MAX = 200

/**
 * The link that reverts what a session requests. Undoing, canceling and revoking make no link, so they are neither
 * counted nor refused, and no session uses up the limit of another.
 * @throws AppError rate_limited when this session has requested too many changes
 */
export async function makeUndoLink(
  tx: Tx,
  config: { baseUrl: string; rateLimits: boolean },
  a: Omit<MailLink, 'id' | 'createdAt'> & { now: Date },
): Promise<string> {
  const { kind, sessionId, now } = a
  if (config.rateLimits && sessionId !== null) {
    const since = new Date(now.getTime() - HOUR_MS)
    if ((await countLinks(tx, { sessionId, kind, since, max: ASKED_AN_HOUR_MAX })) >= ASKED_AN_HOUR_MAX) {
      throw new AppError('rate_limited', {
        retryAfterS: HOUR_MS / SECOND_MS,
        message: 'This session asked for too many changes within an hour. Try again in an hour; canceling still works.',
      })
    }
  }
  return makeLink(tx, { ...a, baseUrl: config.baseUrl })
}

/** Uses up a link that one of our pages submits, instead of the link page. @returns null when it is invalid. */
export async function takeLink(tx: Tx, a: { token: string; kind: string; now: Date }): Promise<MailLink | null> {
  const found = await findLink(tx, hashOf(a.token), a.now)
  return found?.kind === a.kind ? useLink(tx, hashOf(a.token), a.now) : null
}

const hashOf = (token: string): Uint8Array => sha256(`mail link ${token}`)
const Params = Type.Object({ token: Type.String({ maxLength: 200 }) }, { additionalProperties: false })

const GONE = {
  title: 'This link is not good any more',
  lines: ['It was used already, it is too old, or it is not whole. The console shows what stands now.'],
  button: null,
}

export async function mailLinkRoutes(
  app: App,
  deps: { sql: Sql; clock: Clock; wake: { mail: Wake } },
  acts: Readonly<Record<string, LinkAct>>,
  /** Asked after each act, in its transaction. null: nothing. */
  further: (tx: Tx, link: MailLink, now: Date) => Promise<Further | null>,
): Promise<void> {
  const page = (reply: FastifyReply, status: number, content: Parameters<typeof linkPage>[0]): FastifyReply => {
    const nonce = newNonce()
    return sendPage(reply.request, reply, { html: linkPage(content, nonce), policy: linkPagePolicy(nonce), status })
  }
  const actOf = (link: MailLink | null): LinkAct | null => (link === null ? null : (acts[link.kind] ?? null))

  app.get('/mail/:token', { schema: { hide: true, params: Params } }, async ({ params }, reply) => {
    const link = await findLink(deps.sql, hashOf(params.token), deps.clock.now())
    const act = actOf(link)
    return link === null || act === null ? page(reply, 404, GONE) : page(reply, 200, act.show(link))
  })

  // A link that was cut short, or that got something at its end on the way.
  for (const url of ['/mail', '/mail/*'])
    app.get(url, { schema: { hide: true } }, (_request, reply) => page(reply, 404, GONE))

  await app.register(async (scope) => {
    // A form without fields is posted urlencoded; only here, so the API still accepts only JSON.
    useForms(scope)
    scope.post<{ Params: { token: string } }>(
      '/mail/:token',
      { schema: { hide: true, params: Params } },
      async ({ params }, reply) => {
        const now = deps.clock.now()
        const done = await withTx(deps.sql, async (tx) => {
          const found = await findLink(tx, hashOf(params.token), now)
          const act = actOf(found)
          const link = act === null ? null : await useLink(tx, hashOf(params.token), now)
          if (link === null || act === null) return null
          const said = await act.act(tx, link, now)
          return { title: act.show(link).title, lines: [said], further: await further(tx, link, now) }
        })
        if (done === null) return page(reply, 404, GONE)
        deps.wake.mail.fire()
        return page(reply, 200, { ...done, button: null })
      },
    )
  })
}
