// Asks until as many providers with voices of their own say the same as the chain's quorum, and outvotes the rest.
import { essenceOf } from './essence.ts'
import { isContractsAnswer, isRefusal, type Provider, type RpcCall, revertData } from './provider.ts'
import { type Trust, voicesOf } from './trust.ts'

/** Nothing was decided: too few answered, or they contradict each other. What depends on it waits. */
export class NoQuorum extends Error {
  /** Whether providers said different things; otherwise too few said anything. */
  readonly isContradiction: boolean

  constructor(message: string, isContradiction = false) {
    super(message)
    this.isContradiction = isContradiction
  }
}

/** The client wraps errors in its own. */
export function noQuorumIn(error: unknown): NoQuorum | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof NoQuorum) return cause
  return null
}

interface Said {
  provider: Provider
  essence: string
  answer: { value: unknown } | { error: unknown }
}

/** @throws NoQuorum; what the provider said where all refuse, or where a contract's revert is the answer. */
export async function askQuorum(trust: Trust, call: RpcCall): Promise<unknown> {
  const waiting = trust.inTurn()
  const said: Said[] = []
  let refusal: unknown = null
  let isAbsent = false
  for (;;) {
    const agreed = largestGroup(said)
    if (voicesOf(agreed.map((one) => one.provider)).size >= trust.quorum) {
      judge(trust, call, said, agreed)
      const [{ answer } = { answer: { value: null } }] = agreed
      if ('error' in answer) throw answer.error
      return answer.value
    }
    const next = nextOf(waiting, said, trust.quorum - agreed.length)
    if (next.length === 0) break
    for (const answer of await Promise.all(next.map((provider) => ask(trust, provider, call)))) {
      // A node that does not have a numbered block yet has said nothing about it.
      if (answer.kind === 'said' && call.method === 'eth_getBlockByNumber' && answer.said.essence === 'null')
        isAbsent = true
      else if (answer.kind === 'said') said.push(answer.said)
      else refusal = answer.error
    }
  }
  if (isAbsent) return null
  throw undecided(trust, call, said, refusal)
}

/** Every provider is given the transaction: one that keeps it to itself holds nothing up. */
export async function broadcast(trust: Trust, call: RpcCall): Promise<unknown> {
  const answers = await Promise.all(trust.inTurn().map((provider) => ask(trust, provider, call)))
  let last: unknown = new NoQuorum('no provider can be asked now')
  for (const answer of answers) {
    if (answer.kind === 'error') last = isRefusal(last) ? last : answer.error
    else if ('value' in answer.said.answer) return answer.said.answer.value
    else last = answer.said.answer.error
  }
  throw last
}

type Answer = { kind: 'said'; said: Said } | { kind: 'error'; error: unknown }

async function ask(trust: Trust, provider: Provider, call: RpcCall): Promise<Answer> {
  try {
    const value = await provider.ask(call)
    trust.answered(provider)
    return { kind: 'said', said: { provider, essence: essenceOf(call.method, value), answer: { value } } }
  } catch (error) {
    if (isContractsAnswer(error)) {
      trust.answered(provider)
      return { kind: 'said', said: { provider, essence: `reverted ${revertData(error)}`, answer: { error } } }
    }
    if (!isRefusal(error)) trust.silent(provider, error)
    return { kind: 'error', error }
  }
}

/**
 * A number that honest providers estimate differently: each voice of the quorum is asked.
 * @throws NoQuorum; the provider's error where it is a contract's revert.
 */
export async function askNumbers(trust: Trust, call: RpcCall): Promise<bigint[]> {
  const waiting = trust.inTurn()
  const heard: Said[] = []
  while (heard.length < trust.quorum) {
    const next = nextOf(waiting, heard, trust.quorum - heard.length)
    if (next.length === 0) throw new NoQuorum(`too few providers answer ${call.method}`)
    for (const answer of await Promise.all(next.map((provider) => ask(trust, provider, call))))
      if (answer.kind === 'said') heard.push(answer.said)
  }
  return heard.map(({ answer }) => {
    if ('error' in answer) throw answer.error
    return BigInt(String(answer.value))
  })
}

/** Takes the next ones whose voice has not been heard. */
function nextOf(waiting: Provider[], said: readonly Said[], count: number): Provider[] {
  const heard = voicesOf(said.map((one) => one.provider))
  const next: Provider[] = []
  for (let n = 0; n < waiting.length && next.length < count; ) {
    const provider = waiting[n]
    if (provider === undefined || heard.has(provider.voice)) {
      n++
      continue
    }
    heard.add(provider.voice)
    next.push(provider)
    waiting.splice(n, 1)
  }
  return next
}

function largestGroup(said: readonly Said[]): Said[] {
  const groups = Map.groupBy(said, (one) => one.essence)
  return [...groups.values()].toSorted((a, b) => b.length - a.length)[0] ?? []
}

function judge(trust: Trust, call: RpcCall, said: readonly Said[], agreed: readonly Said[]): void {
  const isPinned = JSON.stringify(call.params ?? []).includes('"blockHash"')
  for (const one of said) {
    if (!agreed.includes(one)) trust.outvoted(one.provider, `answer to ${call.method}`, isPinned)
    else if (trust.quorum > 1) trust.agrees(one.provider)
  }
}

function undecided(trust: Trust, { method }: RpcCall, said: readonly Said[], refusal: unknown): unknown {
  const names = said.map((one) => one.provider.name)
  if (new Set(said.map((one) => one.essence)).size > 1) {
    const what = `${names.join(' and ')} contradict each other about ${method}`
    trust.dispute(what)
    return new NoQuorum(what, true)
  }
  const [only] = names
  if (only !== undefined) return new NoQuorum(`only ${only} answers ${method}, and one provider is not believed`)
  return refusal ?? new NoQuorum('no provider can be asked now')
}
