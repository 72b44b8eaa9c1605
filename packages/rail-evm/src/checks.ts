// The checks of the rail, from what the processes that watch and send wrote down.
import { fault, warning } from '@florin/platform/check'
import { MINUTE_MS } from '@florin/protocol'
import type { RailCheck } from '@florin/rail-kit/interface/rail'
import { journalChecks } from '@florin/rail-kit/journaled'
import { formatUnits } from 'viem'
import type { ForwarderContext, ForwarderLink, RouteJournal } from './context.ts'
import { listWaitingWork, type WaitingWork } from './relay/items.store.ts'
import { listSigners, type SeenSigner } from './relay/outbox.store.ts'
import type { SignerTroubleKind } from './relay/trouble.ts'
import { listUnreadable } from './tokens/unreadable.store.ts'
import { listCursors } from './watch/cursors.store.ts'
import { sentenceOf } from './watch/providers.ts'
import { listDisputed, listProviders } from './watch/witness.store.ts'

const SILENT_MAX_MS = MINUTE_MS
/** A key that was replaced says nothing of the one that came after it. */
const REPLACED_AFTER_MS = 10 * MINUTE_MS

type Links = ReadonlyMap<string, ForwarderLink>
type Parts = Pick<ForwarderContext, 'sql' | 'clock'>

export async function checksOf(
  parts: Parts,
  links: Links,
  journal: Pick<RouteJournal, 'checks'>,
): Promise<RailCheck[]> {
  const now = parts.clock.now()
  return [
    ...(await checkChains(parts, links, now)),
    ...(await checkKeys(parts, links, now)),
    ...(await checkTokens(parts, links)),
    ...journalChecks(
      [...links].map(([id, link]) => ({ id, livemode: link.rpc.chain.mode === 'live' })),
      await journal.checks(),
    ),
    ...(await checkDisputes(parts, links)),
  ]
}

type Place = Pick<RailCheck, 'chain' | 'livemode'>
const placeOf = ({ rpc: { chain } }: ForwarderLink): Place => ({ chain: chain.id, livemode: chain.mode === 'live' })

async function checkChains(parts: Parts, links: Links, now: Date): Promise<RailCheck[]> {
  const [cursors, providers] = await Promise.all([listCursors(parts.sql), listProviders(parts.sql)])
  return [...links].flatMap(([chain, link]): RailCheck[] => {
    const about = { ...placeOf(link), id: 'chain', subject: chain }
    const out = (why: string, since: Date): RailCheck => ({
      ...{ ...about, status: 'fault', summary: `${chain}: ${why}`, remedy: CHAIN_REMEDY },
      ...{ since, holdsUp: ['payments', 'settlements', 'refunds'] },
    })
    const cursor = cursors.find((row) => row.chain === chain)
    const read: RailCheck =
      cursor === undefined
        ? out('it is not watched yet', now)
        : cursor.note !== null
          ? out(cursor.note, cursor.updatedAt)
          : now.getTime() - cursor.updatedAt.getTime() > SILENT_MAX_MS
            ? out(`it was last read at ${cursor.updatedAt.toISOString()}`, cursor.updatedAt)
            : {
                ...{ ...about, status: 'ok', summary: `${chain} is read up to block ${cursor.height}.` },
                ...{ remedy: null, since: null, holdsUp: [] },
              }
    // The watcher knows best; where no process watches, this process reports what it has met.
    const told = providers.filter((row) => row.chain === chain)
    const own = link.rpc.health().providers.map((one) => ({ ...one, since: now }))
    return [
      read,
      ...(told.length > 0 ? told : own).flatMap((one) => {
        const summary = sentenceOf(chain, one)
        if (summary === null) return []
        const check = warning(['provider', one.name], summary, PROVIDER_REMEDY)
        return [{ ...check, ...placeOf(link), since: one.since, holdsUp: [] }]
      }),
    ]
  })
}

/** Nothing waits for it: money in such a coin is not found by its balance. */
async function checkTokens({ sql }: Parts, links: Links): Promise<RailCheck[]> {
  return (await listUnreadable(sql)).flatMap(({ chain, contract, why, since }): RailCheck[] => {
    const link = links.get(chain)
    const all = link === undefined ? [] : [...link.rpc.chain.tokens, ...link.rpc.chain.otherTokens]
    const token = all.find((one) => one.contract === contract)
    if (link === undefined || token === undefined) return []
    const summary = `${chain}: ${token.asset} at ${contract} is not as the rails file says: ${why}`
    return [{ ...warning(['token', contract], summary, TOKEN_REMEDY), ...placeOf(link), since, holdsUp: [] }]
  })
}

async function checkDisputes({ sql }: Parts, links: Links): Promise<RailCheck[]> {
  return (await listDisputed(sql)).flatMap(({ chain, count, example }): RailCheck[] => {
    const link = links.get(chain)
    if (link === undefined) return []
    const summary = `${chain}: providers contradict each other about ${count} payments or logs, which wait: ${example}`
    return [{ ...warning(['dispute', chain], summary, DISPUTE_REMEDY), ...placeOf(link), holdsUp: [] }]
  })
}

async function checkKeys(parts: Parts, links: Links, now: Date): Promise<RailCheck[]> {
  const chains = [...links.keys()]
  const signers = await listSigners(parts.sql, chains)
  const waiting = await listWaitingWork(parts.sql, chains, now)
  const ageMs = (at: Date): number => now.getTime() - at.getTime()
  const aboutKey = ({ chain, role }: WaitingWork | SeenSigner): Place & Pick<RailCheck, 'holdsUp'> => ({
    ...{ chain, livemode: links.get(chain)?.rpc.chain.mode === 'live' },
    holdsUp: [role === 'relayer' ? 'settlements' : 'refunds'],
  })
  const known = signers.filter(
    (one) =>
      ageMs(one.lookedAt) < REPLACED_AFTER_MS ||
      !signers.some(
        (other) => other.chain === one.chain && other.role === one.role && ageMs(other.lookedAt) < REPLACED_AFTER_MS,
      ),
  )
  const checks = known.flatMap((one): RailCheck[] => {
    if (one.trouble === null) return []
    const { kind, text } = one.trouble
    const has = one.balance === null ? '' : ` (it has ${formatUnits(one.balance, 18)})`
    const summary = `${one.chain}: ${text}${has}`
    const about = aboutKey(one)
    const holdsUp = kind === 'low_on_gas' ? [] : about.holdsUp
    const check = fault([kind, one.signer], summary, remedies[kind])
    return [{ ...check, ...about, since: one.troubleSince, holdsUp }]
  })
  for (const work of waiting) {
    if (ageMs(work.since) < SILENT_MAX_MS) continue
    const keys = known.filter((one) => one.chain === work.chain && one.role === work.role)
    const last = keys.toSorted((a, b) => b.lookedAt.getTime() - a.lookedAt.getTime())[0]
    if (last !== undefined && ageMs(last.lookedAt) < SILENT_MAX_MS) continue
    const { chain, role } = work
    const since = last === undefined ? work.since : last.lookedAt
    const summary =
      last === undefined
        ? `${chain}: no process has a ${role} key, and work waits for one since ${since.toISOString()}`
        : `${chain}: nothing was sent with the ${role} key ${last.signer} since ${since.toISOString()}, and work waits`
    const id = last === undefined ? 'key_missing' : 'key_silent'
    checks.push({ ...fault([id, role], summary, keyRemedies[id]), ...aboutKey(work), since })
  }
  return checks
}

const CHAIN_REMEDY =
  'Look at the chain and its providers: reading goes on by itself once they agree. After a reorg deeper than maxReorg it does not: /docs/rails says what to decide.'

const PROVIDER_REMEDY =
  'The others are asked meanwhile, and it comes back by itself; if it does not, put another one into the rails file.'
const TOKEN_REMEDY =
  'Mend its contract and decimals in the rails file (otherTokens, tokens), or take it out, and restart. All other coins are looked after meanwhile.'
const DISPUTE_REMEDY =
  'The console’s chain page shows each provider’s answer. The payments count once the providers agree.'

const remedies: Readonly<Record<SignerTroubleKind, string>> = {
  out_of_gas: 'Send native coins to this address; sending goes on by itself.',
  low_on_gas: 'Send native coins to this address before it runs dry.',
  gas_over_cap: 'Wait for lower fees, or raise maxFeeGwei in the rails file and restart.',
  role_missing:
    'Put the right key into the environment, or let the owner name this one: the change is announced, and applies 48 hours later.',
  refunds_paused: 'The owner ends the pause once the cause is known.',
  sending_stopped: 'The chain page and the log say what stands in the way.',
}

const keyRemedies = {
  key_missing: 'Start a process with the key that the rails file names under relayer or refunder.',
  key_silent: 'See whether the process with this key runs, and whether providers of the chain answer it.',
} as const
