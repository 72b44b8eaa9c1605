// The real server with a seeded sandbox, for pages: merchants with some weeks of business, one whose shop is full, one who is new.
// The server runs in this process on a database of its own, with a mailbox in memory and a clock that stands still.
import type { TestContext } from 'node:test'
import { CONSOLE_TOKEN_MS, DAY_MS } from '@florin/protocol'
import { withTx } from '../../../packages/platform/src/db/tx.ts'
import { newId } from '../../../packages/platform/src/ids.ts'
import { sendDueMail } from '../../../packages/platform/src/mail/send.ts'
import { insertSession } from '../../../packages/server/src/login/store.ts'
import { makeTokens } from '../../../packages/server/src/login/token.ts'
import { OPERATOR } from '../../../packages/server/test/console.ts'
import { eventually } from '../../../packages/server/test/deliveries.ts'
import { aMerchant } from '../../../packages/server/test/factories.ts'
import { type TestApp, testApp } from '../../../packages/server/test/harness.ts'
import { freePort } from '../../florin.ts'
import { seedCrowd } from './crowd.ts'
import { openReceiver } from './receiver.ts'
import { seedAccounts, seedShop, type Who } from './shop.ts'

export interface Session {
  email: string
  token: string
}

export interface Seeded {
  origin: string
  /** A session of its own each time; `new` is a merchant of its own each time. @param isFresh acts on money need no code */
  session(who: Who, isFresh: boolean): Promise<Session>
  /** @returns a function that waits for the next code that is mailed from now on */
  codes(): Promise<() => Promise<string>>
  close(): Promise<void>
}

const CODE = /^(\d{6})$/m

type Person = { id: string; email: string }

export async function startSeeded({ port }: { port?: number } = {}): Promise<Seeded> {
  const hooks: (() => unknown)[] = []
  const context = { name: 'seeded', passed: true, after: (hook: () => unknown) => void hooks.push(hook) }
  const own = port ?? (await freePort())
  const origin = `http://127.0.0.1:${own}`
  const at: TestApp = await testApp(context as unknown as TestContext, {
    ...{ baseUrl: origin, operatorEmails: [OPERATOR], webhookRetryWaitsMs: [1_000, 1_000, 1_000, 1_000] },
  })
  const receiver = await openReceiver()
  hooks.unshift(() => receiver.close())
  await at.app.listen({ port: own, host: '127.0.0.1' })
  const people = new Map<Who, Promise<Person> | Person>(await seedAccounts(at))
  let made = 0
  /** A shop is seeded when the first page needs it. */
  function personOf(who: Who): Promise<Person> | Person {
    const known = people.get(who)
    if (known !== undefined) return known
    if (who === 'new') return aMerchant(at.deps, `new${++made}@bottega.example`)
    const shop = seedShop(at, receiver, `${who}@bottega.example`, who === 'shop')
    const seeded = who === 'full' ? shop.then((merchant) => seedCrowd(at, merchant).then(() => merchant)) : shop
    people.set(who, seeded)
    return seeded
  }
  return {
    origin,
    async session(who, isFresh) {
      const person = await personOf(who)
      const now = at.clock.now()
      const createdAt = isFresh ? now : new Date(now.getTime() - DAY_MS)
      const expiresAt = new Date(createdAt.getTime() + CONSOLE_TOKEN_MS)
      const id = newId('ses', now)
      const session = { id, userAgent: 'seeded', ip: '127.0.0.1', createdAt, lastSeenAt: now, expiresAt }
      await withTx(at.deps.sql, (tx) => insertSession(tx, { ...session, merchantId: person.id }))
      const of = { merchantId: person.id, sessionId: id }
      return { email: person.email, token: await makeTokens(at.deps.secrets).sign(of, now, expiresAt) }
    },
    async codes() {
      await sendDueMail(at.deps)
      let seen = at.mailbox.mails.length
      return () =>
        eventually(
          async () => {
            await sendDueMail(at.deps)
            const found = at.mailbox.mails.slice(seen).findLast(({ text }) => CODE.test(text))
            if (found !== undefined) seen = at.mailbox.mails.length
            return CODE.exec(found?.text ?? '')?.[1] ?? ''
          },
          (code) => code !== '',
        )
    },
    async close() {
      for (const hook of hooks) await hook()
    },
  }
}
