// How the rail fares: one list of what is in trouble, from what the processes that watch and send wrote down. Notes,
// attention and metrics all come of it.
import { MINUTE_MS } from '@florin/protocol'
import type { RailHealth, RailTrouble } from '@florin/rail-kit/interface/health'
import { journalTroubles } from '@florin/rail-kit/journaled'
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
/** A watcher tells of its providers once a minute. */
const GONE_AFTER_MS = 10 * MINUTE_MS
/** A key that was replaced says nothing of the one that came after it. */
const REPLACED_AFTER_MS = 10 * MINUTE_MS

type Links = ReadonlyMap<string, ForwarderLink>
type Parts = Pick<ForwarderContext, 'sql' | 'clock'>

export async function healthOf(
  parts: Parts,
  links: Links,
  journal: Pick<RouteJournal, 'troubles'>,
): Promise<RailHealth> {
  const now = parts.clock.now()
  const troubles = [
    ...(await chainTroubles(parts, links, now)),
    ...(await keyTroubles(parts, links, now)),
    ...(await tokenTroubles(parts, links)),
    ...journalTroubles(
      [...links].map(([id, link]) => ({ id, livemode: link.rpc.chain.mode === 'live' })),
      await journal.troubles(),
    ),
  ]
  const disputed = (await listDisputed(parts.sql)).flatMap(({ chain, count, example }) =>
    links.has(chain)
      ? [`${chain}: providers contradict each other about ${count} payments or logs, which wait: ${example}`]
      : [],
  )
  const notes = [...troubles.map((trouble) => trouble.note), ...disputed]
  const seen = await listProviders(parts.sql)
  const elsewhere = new Set(
    seen.flatMap(({ chain, updatedAt }) =>
      !links.has(chain) && now.getTime() - updatedAt.getTime() < GONE_AFTER_MS ? [chain] : [],
    ),
  )
  return { ok: notes.length === 0, notes, troubles, chains: [...links.keys()], elsewhere: [...elsewhere] }
}

async function chainTroubles(parts: Parts, links: Links, now: Date): Promise<RailTrouble[]> {
  const [cursors, providers] = await Promise.all([listCursors(parts.sql), listProviders(parts.sql)])
  const troubles: RailTrouble[] = []
  for (const [chain, link] of links) {
    const { mode } = link.rpc.chain
    const about = { chain, livemode: mode === 'live', subject: null }
    const stands = (note: string, since: Date): RailTrouble => ({
      ...{ ...about, kind: 'chain_silent', note: `${chain}: ${note}`, since },
      ...{ cure: CHAIN_CURE, holdsUp: ['payments', 'settlements', 'refunds'] },
    })
    const cursor = cursors.find((row) => row.chain === chain)
    if (cursor === undefined) troubles.push(stands('it is not watched yet', now))
    else if (cursor.note !== null) troubles.push(stands(cursor.note, cursor.updatedAt))
    else if (now.getTime() - cursor.updatedAt.getTime() > SILENT_MAX_MS) {
      troubles.push(stands(`nobody has looked at it since ${cursor.updatedAt.toISOString()}`, cursor.updatedAt))
    }
    // The watcher knows best; where nobody watches, what this process has met.
    const told = providers.filter((row) => row.chain === chain)
    const own = link.rpc.health().providers.map((one) => ({ ...one, since: now }))
    for (const one of told.length > 0 ? told : own) {
      const note = sentenceOf(chain, one)
      if (note === null) continue
      troubles.push({
        ...{ ...about, kind: 'provider_out', subject: one.name, note, since: one.since, holdsUp: [] },
        cure: 'The others are asked meanwhile, and it comes back by itself; if it does not, put another one into the rails file.',
      })
    }
  }
  return troubles
}

/** Nothing waits for it: what lies there of such a coin is not seen by its balance. */
async function tokenTroubles({ sql }: Parts, links: Links): Promise<RailTrouble[]> {
  return (await listUnreadable(sql)).flatMap(({ chain, contract, why, since }): RailTrouble[] => {
    const link = links.get(chain)
    const all = link === undefined ? [] : [...link.rpc.chain.tokens, ...link.rpc.chain.otherTokens]
    const token = all.find((one) => one.contract === contract)
    if (link === undefined || token === undefined) return []
    return [
      {
        ...{ kind: 'token_unreadable', chain, livemode: link.rpc.chain.mode === 'live', subject: contract, since },
        note: `${chain}: ${token.asset} at ${contract} is not as the rails file says: ${why}`,
        cure: 'Mend its contract and decimals in the rails file (otherTokens, tokens), or take it out, and restart. All other coins are looked after meanwhile.',
        holdsUp: [],
      },
    ]
  })
}

async function keyTroubles(parts: Parts, links: Links, now: Date): Promise<RailTrouble[]> {
  const chains = [...links.keys()]
  const signers = await listSigners(parts.sql, chains)
  const waiting = await listWaitingWork(parts.sql, chains, now)
  const ageMs = (at: Date): number => now.getTime() - at.getTime()
  const aboutKey = ({
    chain,
    role,
  }: WaitingWork | SeenSigner): Pick<RailTrouble, 'chain' | 'livemode' | 'holdsUp'> => ({
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
  const troubles = known.flatMap((one): RailTrouble[] => {
    if (one.trouble === null) return []
    const { kind, text } = one.trouble
    const has = one.balance === null ? '' : ` (it has ${formatUnits(one.balance, 18)})`
    const note = `${one.chain}: ${text}${has}`
    const about = aboutKey(one)
    const holdsUp = kind === 'low_on_gas' ? [] : about.holdsUp
    return [{ ...about, kind, subject: one.signer, note, cure: cures[kind], since: one.troubleSince, holdsUp }]
  })
  for (const work of waiting) {
    if (ageMs(work.since) < SILENT_MAX_MS) continue
    const keys = known.filter((one) => one.chain === work.chain && one.role === work.role)
    const last = keys.toSorted((a, b) => b.lookedAt.getTime() - a.lookedAt.getTime())[0]
    if (last !== undefined && ageMs(last.lookedAt) < SILENT_MAX_MS) continue
    const { chain, role } = work
    const since = last === undefined ? work.since : last.lookedAt
    const note =
      last === undefined
        ? `${chain}: no process has a ${role} key, and work waits for one since ${since.toISOString()}`
        : `${chain}: nothing was sent with the ${role} key ${last.signer} since ${since.toISOString()}, and work waits`
    const kind = last === undefined ? 'key_missing' : 'key_silent'
    troubles.push({ ...aboutKey(work), kind, subject: role, note, cure: keyCures[kind], since })
  }
  return troubles
}

const CHAIN_CURE =
  'Look at the chain and its providers: reading goes on by itself once they agree. After a reorg deeper than maxReorg it does not: /docs/rails says what to decide.'

const cures: Readonly<Record<SignerTroubleKind, string>> = {
  out_of_gas: 'Send native coins to this address; sending goes on by itself.',
  low_on_gas: 'Send native coins to this address before it runs dry.',
  gas_over_cap: 'Wait for lower fees, or raise maxFeeGwei in the rails file and restart.',
  role_missing:
    'Put the right key into the environment, or let the owner name this one: the change is announced, and applies 48 hours later.',
  refunds_paused: 'The owner ends the pause once the cause is known.',
  sending_stopped: 'The chain page and the log say what stands in the way.',
}

const keyCures = {
  key_missing: 'Start a process with the key that the rails file names under relayer or refunder.',
  key_silent: 'See whether the process with this key runs, and whether providers of the chain answer it.',
} as const
