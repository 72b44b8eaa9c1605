// Tells people what is stuck: operators what it is and what to do, merchants what it means for their orders. What rails
// report is all there is to it: an item opens with a trouble that lasts and closes when it is no longer reported.
import type { NewAttention } from '@florin/order-model/attention/item'
import { isOk } from '@florin/platform/check'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { enqueueMail, NOTICE_KEPT_MS } from '@florin/platform/mail/enqueue'
import type { Secrets } from '@florin/platform/secrets'
import type { Job } from '@florin/platform/worker/job'
import { HOUR_MS, SECOND_MS } from '@florin/protocol'
import { HELD_MS, troublesOf } from '@florin/rail-kit/condition'
import { saveHealthTroubles } from '@florin/rail-kit/condition.store'
import type { HeldUp, RailCheck } from '@florin/rail-kit/interface/rail'
import type { Rails } from '@florin/rail-kit/registry'
import {
  closeOtherCauses,
  countOpenAttention,
  MONEY_WAITS,
  putAttention,
  wasOpenedSince,
} from '../../attention/store.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import { stuckMail } from '../tell/mails.ts'
import { measureChecks, measureOpen } from './metrics.ts'
import { listWaiting } from './store.ts'

const EVERY_MS = 15 * SECOND_MS

type Parts = { sql: Sql; clock: Clock; rails: Rails; config: Config; secrets: Secrets; wake: Wakes }
interface Known {
  cause: string
  rail: string
  check: RailCheck
}

export function stuckJob(deps: Parts): Job {
  const firstSeen = new Map<string, Date>()
  let checks: readonly RailCheck[] = []
  return {
    name: 'tell-what-is-stuck',
    everyMs: EVERY_MS,
    checks: () => checks,
    async run() {
      const byRail = await deps.rails.checks()
      const now = deps.clock.now()
      const all = [...byRail].flatMap(([rail, own]) =>
        own.map((check): Known => ({ rail, check, cause: causeOf(rail, check) })),
      )
      checks = all.map(({ check }) => check)
      // A route recovers without a person.
      const known = all.filter(({ check }) => !isOk(check) && check.route === undefined)
      for (const cause of firstSeen.keys()) if (!known.some((one) => one.cause === cause)) firstSeen.delete(cause)
      for (const { cause } of known) if (!firstSeen.has(cause)) firstSeen.set(cause, now)
      measureChecks(known)
      measureOpen(await countOpenAttention(deps.sql))
      const lasting = known.filter(({ cause, check }) => {
        const seen = firstSeen.get(cause) ?? now
        return now.getTime() - Math.min(seen.getTime(), check.since?.getTime() ?? seen.getTime()) >= HELD_MS
      })
      await tell(
        deps,
        { lasting, chains: [...new Set(all.map(({ rail, check }) => chainPrefix(rail, check.chain)))] },
        now,
      )
      await saveRoutes(deps, byRail, now)
      return 0
    },
  }
}

/** The routes that payers are offered depend on this, in every process. */
async function saveRoutes(
  { sql, rails }: Pick<Parts, 'sql' | 'rails'>,
  byRail: ReadonlyMap<string, RailCheck[]>,
  now: Date,
): Promise<void> {
  const known = rails.all.flatMap(({ capabilities }) => {
    const checks = byRail.get(capabilities.kind)
    return checks === undefined ? [] : [{ capabilities, checks }]
  })
  const troubles = known.flatMap(({ capabilities, checks }) => troublesOf(capabilities, checks, now))
  const spokenFor = known.flatMap(({ capabilities: { kind: rail, crossChain }, checks }) =>
    (crossChain ? [null] : [...new Set(checks.map(({ chain }) => chain))]).map((chain) => ({ rail, chain })),
  )
  await withTx(sql, (tx) => saveHealthTroubles(tx, { troubles, spokenFor }, now))
}

const chainPrefix = (rail: string, chain: string): string => `stuck:${rail}:${chain}:`
const causeOf = (rail: string, { chain, id, subject }: RailCheck): string =>
  `${chainPrefix(rail, chain)}${id}:${subject ?? ''}`

/** @param a.chains the causes that this process can say are over. */
async function tell(
  deps: Parts,
  a: { lasting: readonly Known[]; chains: readonly string[] },
  now: Date,
): Promise<void> {
  const items = [...a.lasting.map(operatorItem), ...(await merchantItems(deps, a.lasting))]
  const mailed = await withTx(deps.sql, async (tx) => {
    let mailed = 0
    for (const { about, wish, isMailed } of items) {
      const id = await putAttention(tx, about, wish, now)
      if (id !== null && isMailed) mailed += await mailOperators(deps, tx, { ...about, ...wish, id }, now)
    }
    const causes = items.map(({ wish }) => wish.cause)
    await closeOtherCauses(tx, { prefixes: a.chains, causes, resolution: 'it is over by itself' }, now)
    return mailed
  })
  if (mailed > 0) deps.wake.mail.fire()
}

/** At most one an hour for each cause. */
async function mailOperators(
  { config, secrets }: Parts,
  tx: Tx,
  item: NewAttention & { id: string; livemode: boolean },
  now: Date,
): Promise<number> {
  if (await wasOpenedSince(tx, { ...item, since: new Date(now.getTime() - HOUR_MS) })) return 0
  const when = { now, dropAfter: new Date(now.getTime() + NOTICE_KEPT_MS) }
  for (const to of config.operatorEmails) {
    await enqueueMail(tx, secrets, stuckMail(to, item, { at: now, baseUrl: config.baseUrl }), when)
  }
  return config.operatorEmails.length
}

const operatorItem = ({ cause, check }: Known) => ({
  about: { merchantId: null, livemode: check.livemode, orderNo: null },
  isMailed: check.status === 'fault',
  wish: {
    // Dismissed while the trouble lasts, it opens again. What no process checks any more can be dismissed for good.
    ...{ kind: check.id, cause, actions: ['dismiss'] },
    evidence: {
      ...{ chain: check.chain, what: check.summary, cure: check.remedy ?? '' },
      ...(check.subject === null ? {} : { subject: check.subject }),
    },
  },
})

/** One item a merchant, chain and kind of work, however many things stand in its way. */
async function merchantItems({ sql }: Parts, lasting: readonly Known[]) {
  const places = new Map<string, { rail: string; check: RailCheck; work: HeldUp }>()
  for (const { rail, check } of lasting) {
    for (const work of check.holdsUp) {
      const place = `${chainPrefix(rail, check.chain)}${work}`
      if (!places.has(place)) places.set(place, { rail, check, work })
    }
  }
  const items = []
  for (const [place, { rail, check, work }] of places) {
    const { chain, livemode, id: why } = check
    for (const { merchantId, orders, oldest } of await listWaiting(sql, work, { rail, chain, livemode })) {
      const wish = { kind: MONEY_WAITS, cause: `${place}:${merchantId}`, actions: ['dismiss'] }
      const evidence = { chain, work, why, orders: String(orders), oldest }
      items.push({ about: { merchantId, livemode, orderNo: null }, isMailed: false, wish: { ...wish, evidence } })
    }
  }
  return items
}
