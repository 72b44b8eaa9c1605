// Looks at each vault over the nodes of its chain, shows what can be done, and does it where a key was given.
import { type Block, type Exit, type Hex, hasRole, LookFault, type Call as Move, type Sight } from '@florin/exit'
import type { Call } from '../command.ts'
import { Failure, tell, UsageFailure } from '../failure.ts'
import { confirm } from '../terminal.ts'
import { commonBlock, lookTogether, type Node, type Nodes } from './nodes.ts'
import { type Key, type Sender, senderOf } from './send.ts'
import { callWords, coinWords, sightLines, unsigned } from './show.ts'

export interface Target {
  exit: Exit
  /** How the person named it. */
  name: string
}

export interface Task {
  targets: readonly Target[]
  nodes: Nodes
  tokens: readonly Hex[]
  key: Key | null
  showsEmpty: boolean
  /** The only call that is wanted. */
  only: string | null
}

interface Seen extends Target {
  sight: Sight
  nodes: readonly [Node, ...Node[]]
}

type Coins = ReturnType<typeof coinWords>

const AT_ONCE = 8
/** Nodes keep few waiting transactions of one account. */
const UNMINED_MAX = 16

export async function runTargets(call: Call, task: Task): Promise<number> {
  const { terminal, json } = call
  const seen = await lookAtAll(call, task)
  const wanted = seen.filter(({ sight }) => task.showsEmpty || sight.holdings.some(({ units }) => units > 0n))
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
    if (task.targets.length > 1) terminal.note(`${wanted.length} of ${seen.length} addresses hold money.`)
  }
  const { sent, failed } = await actOn(call, task, wanted, coinsOf)
  if (json) terminal.out(JSON.stringify({ vaults: wanted.map(jsonOf), sent }, jsonValue, 2))
  return failed === 0 && wanted.every(({ sight }) => sight.fault === null) ? 0 : 1
}

interface Sent {
  vault: Hex
  call: string
  transaction: string
}

/** Sends what can be sent now, or prints it. What fails is told and holds up nothing else. */
async function actOn(call: Call, task: Task, wanted: readonly Seen[], coinsOf: (node: Node) => Coins) {
  const { terminal, json } = call
  const senders = new Map<Node, Sender>()
  let waiting: (Sent & { words: string; sender: Sender })[] = []
  const sent: Sent[] = []
  let failed = 0
  const fail = (name: string, error: unknown): void => {
    failed += 1
    terminal.note(`${name}: ${error instanceof LookFault ? error.message : tell(error).sentence}`)
  }
  const settle = async (): Promise<void> => {
    for (const { words, sender, ...one } of waiting) {
      try {
        await sender.mined(one.transaction)
        sent.push(one)
        if (!json) terminal.out(`sent ${words}: ${one.transaction}`)
      } catch (error) {
        fail(words, error)
      }
    }
    waiting = []
  }
  for (const one of wanted) {
    const choices = await movesOf(one, task)
    if (task.key === null && !json) showUnsigned(call, one, choices)
    if (task.key === null) continue
    const [node] = one.nodes
    const sender = senders.get(node) ?? senderOf(node, task.key)
    senders.set(node, sender)
    for (const moves of choices) {
      const refused: unknown[] = []
      // A merchant that cannot be paid is no reason to stop: the next call may pay without a fee, or the other side.
      for (const move of moves) {
        const words = (await callWords(move, coinsOf(node))).slice(0, 2).join(': ')
        if (!call.isOn('yes')) await confirm(terminal, `Send ${words}?`)
        try {
          const transaction = await sender.send({ exit: one.exit, chainId: one.sight.chainId, call: move })
          waiting.push({ vault: one.exit.vault, call: move.name, transaction, words, sender })
          break
        } catch (error) {
          refused.push(error)
        }
      }
      if (refused.length === moves.length) fail(one.name, refused[0])
      if (waiting.length >= UNMINED_MAX) await settle()
    }
  }
  await settle()
  return { sent, failed }
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

/** For each coin that lies there the calls that are open and that this key may send, the first choice first. */
async function movesOf({ exit, sight, nodes: [node] }: Seen, { key, only, targets }: Task): Promise<Move[][]> {
  const choices: Move[][] = []
  const roles = new Map<string, boolean>()
  const mayAct = async (by: Move['by']): Promise<boolean> => {
    if (by === 'anybody') return true
    if (key === null) return only !== null
    const known = roles.get(by) ?? (await hasRole(node, exit.factory, by, key.address))
    roles.set(by, known)
    return known
  }
  for (const { token } of sight.holdings) {
    const moves: Move[] = []
    for (const move of sight.calls) {
      if (move.token !== token || sight.block.time < move.opensAt || (only !== null && move.name !== only)) continue
      if (await mayAct(move.by)) moves.push(move)
    }
    if (moves.length > 0) choices.push(moves)
  }
  if (only !== null && targets.length === 1 && choices.length === 0 && sight.calls.length > 0) refuseCall(only, sight)
  return choices
}

function refuseCall(only: string, sight: Sight): never {
  const known = sight.calls.find(({ name }) => name === only)
  if (known === undefined) throw new UsageFailure(`--call ${only} does not apply here.`)
  throw new Failure(
    sight.block.time < known.opensAt
      ? `${only} opens at ${new Date(known.opensAt * 1000).toISOString()}.`
      : `The key does not have the ${known.by} role.`,
  )
}

function showUnsigned({ terminal }: Call, { exit, sight }: Seen, choices: readonly (readonly Move[])[]): void {
  if (choices.length === 0) return
  terminal.out(terminal.paint.bold('to send with any wallet, or with --key-file'))
  for (const [move] of choices)
    if (move !== undefined) terminal.out(JSON.stringify(unsigned(exit, sight.chainId, move)))
  terminal.out('')
}

const jsonValue = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

const jsonOf = ({ exit, sight, name }: Seen) => ({
  ...{ name, vault: exit.vault, chain_id: sight.chainId, block: sight.block.number, fault: sight.fault },
  holdings: sight.holdings,
  calls: sight.calls.map((move) => ({
    ...{ name: move.name, by: move.by, token: move.token, units: move.units, fee: move.fee, to: move.to },
    ...{ receiver: move.receiver, opens_at: move.opensAt, is_open: sight.block.time >= move.opensAt },
    transaction: unsigned(exit, sight.chainId, move),
  })),
})
