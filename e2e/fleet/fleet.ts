// Several processes of one or two releases over one database, a balancer before them, and mixed load.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { MASTER_KEY } from '../../packages/server/test/deploy/master-keys.ts'
import { type Florin, startFlorin } from '../florin.ts'
import { type Inbox, type Merchant, signUp, startInbox } from '../merchant.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { watchable } from './memory.ts'
import { type Shoppers, startShoppers } from './shoppers.ts'

export const thisRelease = join(import.meta.dirname, '../..')

export type Role = 'api' | 'worker'

export interface Fleet {
  readonly members: readonly Member[]
  balancer: Balancer
  inbox: Inbox
  receiver: Receiver
  shop: Merchant
  shoppers: Shoppers
  /** The schema of a release, as its MODE=migrate makes it. */
  migrate(place: string): Promise<void>
  start(role: Role, place: string): Promise<Member>
  /** SIGTERM, and away from the balancer once it is gone. */
  retire(member: Member): Promise<void>
  close(): Promise<void>
}

export interface Member {
  /** The role and a number: "api-1". */
  name: string
  role: Role
  place: string
  florin: Florin
}

interface Ground {
  databaseUrl: string
  /** The release that begins: it migrates, and one process of each role is there when the load begins. */
  place: string
  /** Default: one of this program. */
  balancer?: Balancer
  /** Settings beside those that every process has here. */
  settings?: Record<string, string>
}

export async function startFleet(a: Ground): Promise<Fleet> {
  const members: Member[] = []
  const balancer = a.balancer ?? startBalancer()
  const inbox = await startInbox()
  const receiver = await startReceiver()
  const shared = {
    ...{ DATABASE_URL: a.databaseUrl, MASTER_KEY, SMTP_URL: inbox.smtpUrl, LOG_LEVEL: 'warn' },
    // Time for the balancer to see it.
    ...{ DRAIN_DELAY_S: '1', WEBHOOK_RETRY_WAITS: '1,1,2,4', ...watchable },
    ...a.settings,
  }
  const tellBalancer = (): void =>
    balancer.use(members.filter(({ role }) => role === 'api').map(({ florin }) => florin.url))

  async function migrate(place: string): Promise<void> {
    const child = spawn(process.execPath, [join(place, 'packages/server/src/main.ts')], {
      cwd: place,
      env: { ...process.env, ...shared, MODE: 'migrate' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`the migration of ${place} ended with ${code}`)
  }

  const started = { api: 0, worker: 0 }
  async function start(role: Role, place: string): Promise<Member> {
    const name = `${role}-${++started[role]}`
    // The whole fleet is known to payers by one name.
    const florin = await startFlorin({ ...shared, MODE: role }, 'server', place)
    const member = { name, role, place, florin }
    members.push(member)
    tellBalancer()
    return member
  }

  await migrate(a.place)
  const first = await start('api', a.place)
  await start('worker', a.place)
  const shop = await signUp(first.florin.url, inbox, 'fleet@shop.example')
  const shoppers = startShoppers({ balancer, shop, webhookUrl: receiver.url })
  return {
    ...{ members, balancer, inbox, receiver, shop, shoppers, migrate, start },
    async retire(member) {
      const code = await member.florin.stop()
      members.splice(members.indexOf(member), 1)
      tellBalancer()
      await member.florin.close()
      if (code !== 0) throw new Error(`a ${member.role} ended with ${code}:\n${member.florin.output().slice(-2_000)}`)
    },
    async close() {
      await shoppers.stop(true)
      await balancer.stop()
      await Promise.all(members.map(({ florin }) => florin.close()))
      await Promise.all([inbox.close(), receiver.close()])
    },
  }
}
