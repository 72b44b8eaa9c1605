// What is thought of each provider of a chain, and in which order they are asked. Who is set aside comes back by
// itself: it is asked again after a while, and is ok once it agrees with another.
import type { Clock } from '@florin/platform/clock'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { firstLine } from '@florin/rail-kit/first-line'
import type { Provider, Verdict } from './provider.ts'

/** How long a provider that did not answer is asked last. */
const REST_MS = 30 * SECOND_MS
/** How long one that lied is not asked; twice as long each time, up to a limit. */
const ASIDE_MS = MINUTE_MS
const ASIDE_MAX_MS = 16 * MINUTE_MS
/** Tips of honest nodes differ for a moment: only who keeps saying something else is set aside. */
const STRIKES_MAX = 3
/** A contradiction that nobody could decide is shown for this long after it was last met. */
const SHOWN_MS = 2 * MINUTE_MS

export type TrustClock = Pick<Clock, 'now' | 'sleep'>

export interface ProviderState {
  name: string
  verdict: Verdict
  /** null while it is ok. */
  reason: string | null
  /** Set aside until then; null: it is asked. */
  until: Date | null
}

export class Trust {
  readonly providers: readonly Provider[]
  readonly quorum: number
  readonly clock: TrustClock
  readonly #disputes = new Map<string, Date>()

  constructor(providers: readonly Provider[], quorum: number, clock: TrustClock) {
    this.providers = providers
    this.quorum = quorum
    this.clock = clock
  }

  /** Whom to ask, best first. Those that lied, or are on another chain, are left out until their time is over. */
  inTurn(): Provider[] {
    const now = this.clock.now()
    const isAside = ({ asideUntil }: Provider): boolean => asideUntil !== null && asideUntil > now
    const asked = this.providers.filter((one) => one.verdict === 'silent' || !isAside(one))
    const rank = (one: Provider): number =>
      one.verdict === 'ok' ? 0 : one.verdict === 'silent' ? (isAside(one) ? 3 : 1) : 2
    return asked.toSorted((a, b) => rank(a) - rank(b))
  }

  /** The same without those that rest, where the others are enough. */
  awake(): Provider[] {
    const now = this.clock.now()
    const all = this.inTurn()
    const awake = all.filter(({ asideUntil }) => asideUntil === null || asideUntil <= now)
    return voicesOf(awake).size >= this.quorum ? awake : all
  }

  /** It gave an answer that another one gave too. */
  agrees(provider: Provider): void {
    provider.strikes = 0
    if (provider.verdict === 'laggard' || provider.verdict === 'frozen') return
    Object.assign(provider, { verdict: 'ok', reason: null, asideUntil: null, timesAside: 0 })
  }

  /** Two others agreed on something else. @param isPinned about one block by its hash: that has one answer only. */
  outvoted(provider: Provider, about: string, isPinned: boolean): void {
    provider.strikes++
    if (isPinned || provider.strikes >= STRIKES_MAX) this.setAside(provider, 'liar', `others agree on another ${about}`)
  }

  setAside(provider: Provider, verdict: 'liar' | 'wrong_chain', reason: string): void {
    const ms = Math.min(ASIDE_MS * 2 ** provider.timesAside, ASIDE_MAX_MS)
    const asideUntil = new Date(this.clock.now().getTime() + ms)
    Object.assign(provider, { verdict, reason, asideUntil, strikes: 0, timesAside: provider.timesAside + 1 })
  }

  silent(provider: Provider, error: unknown): void {
    if (provider.verdict === 'liar' || provider.verdict === 'wrong_chain') return
    const asideUntil = new Date(this.clock.now().getTime() + REST_MS)
    Object.assign(provider, { verdict: 'silent', reason: firstLine(error), asideUntil })
  }

  /** It answered, whatever it said. */
  answered(provider: Provider): void {
    if (provider.verdict === 'silent') Object.assign(provider, { verdict: 'ok', reason: null, asideUntil: null })
  }

  /** Providers contradict each other and nobody outvotes anybody. */
  dispute(what: string): void {
    this.#disputes.set(what, this.clock.now())
  }

  /** Contradictions of the last minutes. */
  disputes(): string[] {
    const since = this.clock.now().getTime() - SHOWN_MS
    for (const [what, at] of this.#disputes) if (at.getTime() < since) this.#disputes.delete(what)
    return [...this.#disputes.keys()].slice(0, 10)
  }

  states(): ProviderState[] {
    const now = this.clock.now()
    return this.providers.map(({ name, verdict, reason, asideUntil }) => ({
      ...{ name, verdict, reason },
      until: verdict !== 'silent' && asideUntil !== null && asideUntil > now ? asideUntil : null,
    }))
  }
}

export const voicesOf = (providers: readonly Pick<Provider, 'voice'>[]): Set<string> =>
  new Set(providers.map((one) => one.voice))
