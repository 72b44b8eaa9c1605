// A shop that takes real money on a node of its own, black-box over HTTP: people sign in with codes from the mailbox,
// in browsers that keep cookies. What a thief needs beside a token is left to each test.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { App } from '@florin/platform/http/server'
import type { Mail } from '@florin/platform/mail/mailer'
import { sendDigests } from '@florin/platform/mail/notices'
import { sendDueMail } from '@florin/platform/mail/send'
import { MINUTE_MS } from '@florin/protocol'
import { aWorld, chainOver, testNode, type World } from '../../rail-evm/src/test/world.fixture.ts'
import { buildApp } from '../src/app.ts'
import { settleOrder } from '../src/orders/rail-outbox.ts'
import { getOrder } from '../src/orders/store.ts'
import type { Config } from '../src/settings.ts'
import type { ConsoleAnswer } from './console.ts'

export const OWNER = 'owner@shop.example'
export const OWN = '0x52908400098527886E0F7030069857D2E4169EE7'
export const THIEFS = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

/** A signed-in session as it is used from one browser. */
export interface Visitor {
  token: string
  /** null: the token alone, as a thief has it. */
  cookie: string | null
  call<T = Record<string, unknown>>(method: Method, path: string, body?: object): Promise<ConsoleAnswer<T>>
}

export interface LiveShop {
  world: World
  app: App
  /** Asks for a code, reads it in the mailbox and signs in. */
  signIn(email?: string, cookie?: string | null): Promise<Visitor>
  /** The same token in other hands. */
  stolen(visitor: Visitor, cookie?: string): Visitor
  /** The code that confirms, from the mailbox. */
  confirm(visitor: Visitor): Promise<void>
  /** Everything that was mailed to this address so far, digests included. */
  mailsTo(email: string): Promise<Mail[]>
  /** Mails of one moment come in any order, so the one that is meant is told by its subject. */
  newestMail(email: string, subject: RegExp): Promise<Mail>
  /** Where a new live order settles, or the code of the refusal. */
  liveTarget(chain?: string): Promise<string>
  testTarget(chain?: string): Promise<string>
  /** A live order, paid on the chain and seen. */
  takeMoney(): Promise<void>
  /** Follows a link of a mail: GET, then POST as its button does. */
  click(mail: Mail): Promise<{ shown: string; done: string }>
}

/** @param a.isPaid whether a live order was paid before. */
export async function liveShop(
  t: TestContext,
  a: { isPaid?: boolean; config?: Partial<Config> } = {},
): Promise<LiveShop & { owner: Visitor }> {
  const node = await testNode()
  // The settings take a live chain only with the real one's number and contracts; from there on live is live.
  const chains = [{ ...chainOver(node), mode: 'live' as const }]
  const world = await aWorld(t, { node, chains, ...(a.config === undefined ? {} : { config: a.config }) })
  const app = await buildApp(world.deps)
  t.after(() => app.close())

  const inject = async <T>(method: Method, url: string, headers: Record<string, string>, body?: object) => {
    const reply = await app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) })
    const { code, data, error } = reply.json()
    return { reply, answer: { status: reply.statusCode, code, data, error } as ConsoleAnswer<T> }
  }
  const visitor = (token: string, cookie: string | null): Visitor => ({
    token,
    cookie,
    call: async <T>(method: Method, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, ...(cookie === null ? {} : { cookie }) }
      return (await inject<T>(method, `/api/v1/boss/${path}`, headers, body)).answer
    },
  })
  const mailsTo = async (email: string): Promise<Mail[]> => {
    await sendDigests(world.deps)
    while ((await sendDueMail(world.deps)) > 0);
    return world.mailbox.mails.filter((mail) => mail.to === email)
  }
  const newestMail = async (email: string, subject: RegExp): Promise<Mail> => {
    const mail = (await mailsTo(email)).filter((each) => subject.test(each.subject)).at(-1)
    assert.ok(mail, `a mail to ${email}: ${subject}`)
    return mail
  }
  const codeIn = async (email: string): Promise<string> => {
    const codes = (await mailsTo(email)).flatMap((mail) => /^(\d{6})\n\n/.exec(mail.text)?.[1] ?? [])
    return codes.at(-1) ?? assert.fail('no code was mailed')
  }
  const signIn = async (email = OWNER, cookie: string | null = null): Promise<Visitor> => {
    world.clock.advance(MINUTE_MS)
    const headers = cookie === null ? {} : { cookie }
    await inject('POST', '/api/v1/auth/code', {}, { email })
    const code = await codeIn(email)
    const { reply, answer } = await inject<{ token: string }>('POST', '/api/v1/auth/login', headers, { email, code })
    assert.equal(answer.status, 200, reply.body)
    const set = String(reply.headers['set-cookie'])
    assert.match(set, /; HttpOnly; SameSite=Strict/)
    return visitor(answer.data.token, set.split(';')[0] ?? null)
  }

  const owner = await signIn()
  const keyOf = async (mode: string): Promise<Record<string, string>> => {
    const made = await owner.call<{ api_key: string }>('POST', 'appkeys', { name: mode, mode })
    return { 'x-api-key': made.data.api_key }
  }
  const keys = { live: await keyOf('live'), test: await keyOf('test') }
  assert.equal((await owner.call('PUT', 'addresses', { chain: 'base', address: OWN })).status, 200)
  const makeOrder = async (mode: 'live' | 'test', chain: string) => {
    const payload = { amount_usd: 50, settle_chain: chain, ...(mode === 'live' ? { pay_chain: chain } : {}) }
    const reply = await app.inject({ method: 'POST', url: '/v1/orders', headers: keys[mode], payload })
    return reply.json() as {
      order_no: string
      settle_address: string
      pay: { address: string; amount_due: string } | null
      error?: { code: string }
    }
  }
  const target = async (mode: 'live' | 'test', chain: string): Promise<string> => {
    const order = await makeOrder(mode, chain)
    return order.error?.code ?? order.settle_address
  }
  const shop: LiveShop = {
    world,
    app,
    signIn,
    stolen: ({ token }, cookie) => visitor(token, cookie ?? null),
    async confirm(who) {
      world.clock.advance(MINUTE_MS)
      assert.equal((await who.call('POST', 'confirmation/code')).status, 200)
      assert.equal((await who.call('POST', 'confirmation', { code: await codeIn(OWNER) })).status, 200)
    },
    mailsTo,
    newestMail,
    liveTarget: (chain = 'base') => target('live', chain),
    testTarget: (chain = 'base') => target('test', chain),
    async takeMoney() {
      const order = await makeOrder('live', 'base')
      assert.ok(order.pay, JSON.stringify(order))
      await world.look()
      await world.pay(order.pay.address, world.node.usdc, BigInt(order.pay.amount_due))
      await world.mine(2)
      await world.look()
      await settleOrder(world.deps, await getOrder(world.deps.sql, order.order_no))
      assert.equal((await getOrder(world.deps.sql, order.order_no)).status, 'processing')
    },
    async click(mail) {
      const path = /\/mail\/[0-9A-Za-z]{32}/.exec(mail.text)?.[0] ?? assert.fail(`no link in: ${mail.text}`)
      const shown = await app.inject({ method: 'GET', url: path })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const done = await app.inject({ method: 'POST', url: path, headers, payload: '' })
      return { shown: shown.body, done: done.body }
    },
  }
  if (a.isPaid !== false) await shop.takeMoney()
  return { ...shop, owner }
}
