// Tells people what is stuck: operators what it is and what to do, merchants what it means for their orders. What rails
// report is all there is to it: an item opens with a trouble that lasts and closes when it is no longer reported.
import type { NewAttention } from '@florin/order-model/attention/item'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { enqueueMail, NOTICE_KEPT_MS } from '@florin/platform/mail/enqueue'
import type { Secrets } from '@florin/platform/secrets'
import type { Job } from '@florin/platform/worker/job'
import { HOUR_MS, SECOND_MS } from '@florin/protocol'
import { HELD_MS, troublesOf } from '@florin/rail-kit/condition'
import { saveHealthTroubles } from '@florin/rail-kit/condition.store'
import type { HeldUp, RailHealth, RailTrouble } from '@florin/rail-kit/interface/health'
import type { Rails } from '@florin/rail-kit/registry'
import {
  closeOtherCauses,
  countOpenAttention,
  MONEY_WAITS,
  putAttention,
  sayForgotten,
  wasOpenedSince,
} from '../../attention/store.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import { stuckMail } from '../tell/mails.ts'
import { measureOpen, measureTroubles } from './metrics.ts'
import { listWaiting } from './store.ts'

const EVERY_MS = 15 * SECOND_MS

type Parts = { sql: Sql; clock: Clock; rails: Rails; config: Config; secrets: Secrets; wake: Wakes }
interface Known {
  cause: string
  rail: string
  trouble: RailTrouble
}

export function stuckJob(deps: Parts): Job {
  const firstSeen = new Map<string, Date>()
  let notes: readonly string[] = []
  return {
    name: 'tell-what-is-stuck',
    everyMs: EVERY_MS,
    note: () => (notes.length === 0 ? null : notes.join('. ')),
    async run() {
      const health = Object.entries(await deps.rails.health())
      const now = deps.clock.now()
      const known = health.flatMap(([rail, { troubles }]) =>
        troubles.map((trouble): Known => ({ rail, trouble, cause: causeOf(rail, trouble) })),
      )
      for (const cause of firstSeen.keys()) if (!known.some((one) => one.cause === cause)) firstSeen.delete(cause)
      for (const { cause } of known) if (!firstSeen.has(cause)) firstSeen.set(cause, now)
      // The watcher's own note tells of providers as soon as it meets them.
      notes = known.flatMap(({ trouble }) => (trouble.kind === 'provider_out' ? [] : [trouble.note]))
      measureTroubles(known)
      measureOpen(await countOpenAttention(deps.sql))
      const lasting = known.filter(({ cause, trouble }) => {
        const seen = firstSeen.get(cause) ?? now
        return now.getTime() - Math.min(seen.getTime(), trouble.since.getTime()) >= HELD_MS
      })
      const chains = health.flatMap(([rail, { chains }]) => chains.map((chain) => chainPrefix(rail, chain)))
      await tell(deps, { lasting, chains }, now)
      await sayWhatIsOut(deps, health, now)
      for (const [rail, { chains, elsewhere }] of health) {
        // A process that cannot say what others watch leaves their items alone.
        if (elsewhere === undefined) continue
        const known = [...chains, ...elsewhere].map((chain) => chainPrefix(rail, chain))
        await sayForgotten(deps.sql, { prefix: `stuck:${rail}:`, known, cure: FORGOTTEN_CURE })
      }
      return 0
    },
  }
}

/** What payers are offered goes by this, in every process. */
async function sayWhatIsOut(
  { sql, rails }: Pick<Parts, 'sql' | 'rails'>,
  health: readonly (readonly [rail: string, health: RailHealth])[],
  now: Date,
): Promise<void> {
  const known = health.flatMap(([kind, health]) => {
    const rail = rails.byKind(kind)
    return rail === null ? [] : [{ ...rail.capabilities, health }]
  })
  const troubles = known.flatMap((one) => troublesOf(one, one.health, now))
  const spokenFor = known.flatMap(({ kind, health }) =>
    [null, ...health.chains].map((chain) => ({ rail: kind, chain })),
  )
  await withTx(sql, (tx) => saveHealthTroubles(tx, { troubles, spokenFor }, now))
}

const FORGOTTEN_CURE =
  'No process that runs has this chain in its rails file, so nobody can say whether it is over. Start one that has it; if the chain was taken out for good, dismiss this: its orders wait as they are.'

const chainPrefix = (rail: string, chain: string): string => `stuck:${rail}:${chain}:`
const causeOf = (rail: string, { chain, kind, subject }: RailTrouble): string =>
  `${chainPrefix(rail, chain)}${kind}:${subject ?? ''}`

/** @param a.chains the causes that this process can say are over. */
async function tell(
  deps: Parts,
  a: { lasting: readonly Known[]; chains: readonly string[] },
  now: Date,
): Promise<void> {
  const items = [...a.lasting.map(operatorItem), ...(await merchantItems(deps, a.lasting))]
  const mailed = await withTx(deps.sql, async (tx) => {
    let mailed = 0
    for (const { about, wish } of items) {
      const id = await putAttention(tx, about, wish, now)
      if (id !== null && about.merchantId === null)
        mailed += await mailOperators(deps, tx, { ...about, ...wish, id }, now)
    }
    const causes = items.map(({ wish }) => wish.cause)
    await closeOtherCauses(tx, { prefixes: a.chains, causes, resolution: 'it is over by itself' }, now)
    return mailed
  })
  if (mailed > 0) deps.wake.mail.fire()
}

/**
 * One an hour for each cause. A provider that is out is no reason while others are enough: else its chain is silent. Nor is
 * a coin that nobody is paid in.
 */
async function mailOperators(
  { config, secrets }: Parts,
  tx: Tx,
  item: NewAttention & { id: string; livemode: boolean },
  now: Date,
): Promise<number> {
  if (item.kind === 'provider_out' || item.kind === 'token_unreadable') return 0
  if (await wasOpenedSince(tx, { ...item, since: new Date(now.getTime() - HOUR_MS) })) return 0
  const when = { now, dropAfter: new Date(now.getTime() + NOTICE_KEPT_MS) }
  for (const to of config.operatorEmails) {
    await enqueueMail(tx, secrets, stuckMail(to, item, { at: now, baseUrl: config.baseUrl }), when)
  }
  return config.operatorEmails.length
}

const operatorItem = ({ cause, trouble }: Known) => ({
  about: { merchantId: null, livemode: trouble.livemode, orderNo: null },
  wish: {
    ...{ kind: trouble.kind, cause, actions: [] },
    evidence: {
      ...{ chain: trouble.chain, what: trouble.note, cure: trouble.cure },
      ...(trouble.subject === null ? {} : { subject: trouble.subject }),
    },
  },
})

/** One item a merchant, chain and kind of work, however many things stand in its way. */
async function merchantItems({ sql }: Parts, lasting: readonly Known[]) {
  const places = new Map<string, { rail: string; trouble: RailTrouble; work: HeldUp }>()
  for (const { rail, trouble } of lasting) {
    for (const work of trouble.holdsUp) {
      const place = `${chainPrefix(rail, trouble.chain)}${work}`
      if (!places.has(place)) places.set(place, { rail, trouble, work })
    }
  }
  const items = []
  for (const [place, { rail, trouble, work }] of places) {
    const { chain, livemode, kind: why } = trouble
    for (const { merchantId, orders, oldest } of await listWaiting(sql, work, { rail, chain, livemode })) {
      const wish = { kind: MONEY_WAITS, cause: `${place}:${merchantId}`, actions: [] }
      const evidence = { chain, work, why, orders: String(orders), oldest }
      items.push({ about: { merchantId, livemode, orderNo: null }, wish: { ...wish, evidence } })
    }
  }
  return items
}
