// Looks at each vault over the nodes of its chain, shows what can be done, and does it where a key was given.
import type { Block, Exit, Hex } from '@florin/exit'
import type { Call } from '../command.ts'
import { actOn, type Coins, type Seen, type Target, type Task } from './act.ts'
import { withAnnouncements } from './announcements.ts'
import { commonBlock, lookTogether, type Node, type Nodes } from './nodes.ts'
import { coinWords, sightLines, unsigned } from './show.ts'

const AT_ONCE = 8

export async function runTargets(call: Call, task: Task): Promise<number> {
  const { terminal, json } = call
  const seen = await withAnnouncements(call, task, await lookAtAll(call, task))
  const full = seen.filter(({ sight }) => sight.holdings.some(({ units }) => units > 0n))
  const wanted = task.showsEmpty ? seen : full
  const coins = new Map<Node, Coins>()
  const coinsOf = (node: Node) => {
    const words = coins.get(node) ?? coinWords(node)
    coins.set(node, words)
    return words
  }
  if (!json) {
    for (const { exit, sight, nodes, name } of wanted) {
      if (task.targets.length > 1) terminal.out(terminal.paint.bold(name))
      const lines = await sightLines(exit, sight, { paint: terminal.paint, coins: coinsOf(nodes[0]) })
      for (const line of [...lines, '']) terminal.out(line)
    }
    if (task.targets.length > 1) terminal.note(`${full.length} of ${seen.length} addresses hold money.`)
  }
  const { sent, failed } = await actOn(call, task, wanted, coinsOf)
  if (json) terminal.out(JSON.stringify({ vaults: wanted.map(jsonOf), sent }, jsonValue, 2))
  return failed === 0 && wanted.every(({ sight }) => sight.fault === null) ? 0 : 1
}

async function lookAtAll(call: Call, { targets, nodes, tokens }: Task): Promise<Seen[]> {
  const ofOrders = tokensByChain(targets)
  const blocks = new Map<number, Block>()
  const faults = new Map<string, string | null>()
  const seen: Seen[] = []
  const skipped = new Map<number, number>()
  const lookAt = async (target: Target): Promise<void> => {
    const own = nodesFor(nodes, target.exit, targets.length === 1)
    if (own === null) {
      skipped.set(target.exit.chainId, (skipped.get(target.exit.chainId) ?? 0) + 1)
      return
    }
    const { chainId } = own
    const block = blocks.get(chainId) ?? (await commonBlock(own.nodes))
    blocks.set(chainId, block)
    const known = faults.get(`${chainId} ${target.exit.factory}`)
    const sight = await lookTogether(own.nodes, target.exit, {
      ...{ tokens: [...tokens, ...(ofOrders.get(chainId) ?? [])], block },
      ...(known === undefined ? {} : { fault: known }),
    })
    faults.set(`${chainId} ${target.exit.factory}`, sight.fault)
    seen.push({ ...target, sight, nodes: own.nodes })
  }
  for (let at = 0; at < targets.length; at += AT_ONCE) await Promise.all(targets.slice(at, at + AT_ONCE).map(lookAt))
  for (const [chainId, count] of skipped) {
    call.terminal.note(`${count} addresses of chain ${chainId} were not looked at: add --rpc with a node of it.`)
  }
  const order = new Map(targets.map((target, n) => [target.exit.vault, n]))
  return seen.sort((a, b) => (order.get(a.exit.vault) ?? 0) - (order.get(b.exit.vault) ?? 0))
}

/** A payer who took the wrong coin took one that another order here could have had. */
function tokensByChain(targets: readonly Target[]): Map<number, Set<Hex>> {
  const tokens = new Map<number, Set<Hex>>()
  for (const { exit } of targets) {
    tokens.set(exit.chainId, (tokens.get(exit.chainId) ?? new Set<Hex>()).add(exit.route.token))
  }
  return tokens
}

/** The nodes of the vault's chain; for one vault alone also those of another, where money was sent by mistake. */
function nodesFor(nodes: Nodes, exit: Exit, isAlone: boolean) {
  const own = nodes.get(exit.chainId)
  if (own !== undefined) return { chainId: exit.chainId, nodes: own }
  const [other] = nodes
  return isAlone && other !== undefined ? { chainId: other[0], nodes: other[1] } : null
}

const jsonValue = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

const jsonOf = ({ exit, sight, name }: Seen) => ({
  ...{ name, vault: exit.vault, chain_id: sight.chainId, block: sight.block.number, fault: sight.fault },
  holdings: sight.holdings,
  calls: sight.calls.map((move) => ({
    ...{ name: move.name, by: move.by, token: move.token, units: move.units, fee: move.fee, to: move.to },
    ...{ receiver: move.receiver, opens_at: move.opensAt, is_open: sight.block.time >= move.opensAt },
    ...(move.closesAt === null ? {} : { closes_at: move.closesAt }),
    transaction: unsigned(exit, sight.chainId, move),
  })),
})
