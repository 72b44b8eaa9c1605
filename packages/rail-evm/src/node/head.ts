// The newest block of a chain that as many providers agree on as its quorum asks for, and what their tips say of each
// of them.
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { type BlockHead, headOf } from './blocks.ts'
import { essenceOf } from './essence.ts'
import { isRefusal, type Provider } from './provider.ts'
import { askQuorum, NoQuorum } from './quorum.ts'
import { type Trust, voicesOf } from './trust.ts'

export interface AgreedHead extends BlockHead {
  /** As the node sent it. */
  raw: unknown
}

const CHAIN_ID_EVERY_MS = MINUTE_MS
/** Where enough have answered, others are waited for this long. */
const SPARE_MS = SECOND_MS
/** A tip this much older than the best one is behind. */
const BEHIND_MS = 15 * SECOND_MS
/** One that is behind and has not moved for this long is frozen. */
const FROZEN_MS = MINUTE_MS
/** Below the lowest tip a common block is looked for in doubling steps. */
const STEPS_BACK = [1n, 2n, 4n, 8n, 16n, 32n]
const BLOCK = 'eth_getBlockByNumber'

interface Tip {
  provider: Provider
  head: AgreedHead
}

/** @throws NoQuorum */
export async function readAgreedHead(trust: Trust, chainId: number): Promise<AgreedHead> {
  const tips = await readTips(trust, chainId)
  const heights = [...new Set(tips.map(({ head }) => head.height))].toSorted((a, b) => (a > b ? -1 : 1))
  const lowest = heights.at(-1) ?? 0n
  for (const height of [...heights, ...STEPS_BACK.map((step) => lowest - step)]) {
    const able = tips.filter(({ head }) => head.height >= height)
    if (height < 0n || voicesOf(able.map((tip) => tip.provider)).size < trust.quorum) continue
    const blocks = (await Promise.all(able.map((tip) => at(trust, tip, height)))).filter((tip) => tip !== null)
    const groups = Map.groupBy(blocks, ({ head }) => essenceOf(BLOCK, head.raw))
    const agreed = [...groups.values()].find((group) => voicesOf(group.map((tip) => tip.provider)).size >= trust.quorum)
    const [first] = agreed ?? []
    if (agreed === undefined || first === undefined) continue
    judge(trust, { tips, blocks, agreed })
    return first.head
  }
  const names = trust.inTurn().map((one) => one.name)
  if (voicesOf(tips.map((tip) => tip.provider)).size < trust.quorum) {
    const who = tips.map((tip) => tip.provider.name).join(', ')
    throw new NoQuorum(
      who === '' ? 'no provider answers' : `only ${who} tells the newest block, and one provider is not believed`,
    )
  }
  const what = `${names.join(' and ')} are on different branches`
  trust.dispute(what)
  throw new NoQuorum(what, true)
}

/** The newest block that enough providers call final; null: they do not say. */
export async function readAgreedFinalized(trust: Trust): Promise<unknown> {
  const heads = await Promise.all(
    trust.awake().map(async (provider): Promise<Tip[]> => {
      const raw = await provider.ask({ method: BLOCK, params: ['finalized', false] }).catch(() => null)
      const head = headOf(raw)
      return head === null ? [] : [{ provider, head: { ...head, raw } }]
    }),
  )
  const claims = heads.flat().toSorted((a, b) => (a.head.height > b.head.height ? -1 : 1))
  const heard = new Set<string>()
  for (const { provider, head } of claims) {
    // Who calls a block final calls all below it final.
    heard.add(provider.voice)
    if (heard.size < trust.quorum) continue
    return trust.quorum === 1
      ? head.raw
      : askQuorum(trust, { method: BLOCK, params: [`0x${head.height.toString(16)}`, false] })
  }
  return null
}

async function readTips(trust: Trust, chainId: number): Promise<Tip[]> {
  const asked = trust.awake()
  const tips: Tip[] = []
  const done = new AbortController()
  const answers = asked.map(async (provider) => {
    const tip = await readTip(trust, provider, chainId)
    if (tip !== null && !done.signal.aborted) tips.push(tip)
  })
  const isEnough = (): boolean => voicesOf(tips.map((tip) => tip.provider)).size >= trust.quorum
  const all = Promise.all(answers)
  await Promise.race([all, trust.clock.sleep(SPARE_MS, done.signal)])
  if (!isEnough()) await all
  done.abort()
  for (const provider of asked) {
    const isSlow = provider.verdict === 'ok' && !tips.some((tip) => tip.provider === provider)
    if (isSlow) trust.silent(provider, new Error('it answers too slowly'))
  }
  return tips
}

async function readTip(trust: Trust, provider: Provider, chainId: number): Promise<Tip | null> {
  const now = trust.clock.now()
  try {
    if (provider.chainIdAt === null || now.getTime() - provider.chainIdAt.getTime() >= CHAIN_ID_EVERY_MS) {
      const found = Number(await provider.ask({ method: 'eth_chainId' }))
      if (found !== chainId) {
        trust.setAside(provider, 'wrong_chain', `it is on chain ${found}, not on ${chainId}`)
        provider.chainIdAt = null
        return null
      }
      provider.chainIdAt = now
    }
    const raw = await provider.ask({ method: BLOCK, params: ['latest', false] })
    const head = headOf(raw)
    if (head === null) throw new Error('it has no newest block')
    trust.answered(provider)
    return { provider, head: { ...head, raw } }
  } catch (error) {
    trust.silent(provider, error)
    return null
  }
}

/** null: it does not have it, or does not say. */
async function at(trust: Trust, { provider, head }: Tip, height: bigint): Promise<Tip | null> {
  if (head.height === height) return { provider, head }
  try {
    const raw = await provider.ask({ method: BLOCK, params: [`0x${height.toString(16)}`, false] })
    const block = headOf(raw)
    return block === null || block.height !== height ? null : { provider, head: { ...block, raw } }
  } catch (error) {
    if (!isRefusal(error)) trust.silent(provider, error)
    return null
  }
}

function judge(trust: Trust, a: { tips: readonly Tip[]; blocks: readonly Tip[]; agreed: readonly Tip[] }): void {
  const now = trust.clock.now()
  const agreeing = new Set(a.agreed.map((tip) => tip.provider))
  const differing = new Set(a.blocks.map((tip) => tip.provider).filter((provider) => !agreeing.has(provider)))
  const best = a.tips.filter((tip) => agreeing.has(tip.provider))
  const newest = Math.min(now.getTime(), Math.max(...best.map((tip) => tip.head.time.getTime())))
  for (const { provider, head } of a.tips) {
    if (provider.tip?.height !== head.height) provider.tip = { height: head.height, since: now }
    if (differing.has(provider)) {
      trust.outvoted(provider, 'newest block', false)
      continue
    }
    const behindMs = newest - head.time.getTime()
    if (behindMs > BEHIND_MS) {
      const isFrozen = now.getTime() - provider.tip.since.getTime() > FROZEN_MS
      const reason = `its newest block ${head.height} is ${Math.round(behindMs / 1000)} s behind that of others`
      Object.assign(provider, { verdict: isFrozen ? 'frozen' : 'laggard', reason })
    } else {
      if (provider.verdict === 'laggard' || provider.verdict === 'frozen')
        Object.assign(provider, { verdict: 'ok', reason: null, asideUntil: null })
      if (agreeing.has(provider)) trust.agrees(provider)
    }
  }
}
