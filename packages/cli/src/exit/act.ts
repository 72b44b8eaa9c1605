// Sends the calls that are open, or prints them for a wallet, each with what the network may take for it.
import { type Exit, type Hex, hasRole, LookFault, type Call as Move, type Sight } from '@florin/exit'
import type { Call } from '../command.ts'
import { Failure, tell, UsageFailure } from '../failure.ts'
import { confirm } from '../terminal.ts'
import { type Cost, CostRefusal, costOf, costWei, costWords } from './cost.ts'
import type { Node, Nodes } from './nodes.ts'
import { type Key, type Sender, senderOf } from './send.ts'
import { callWords, type coinWords, unsigned } from './show.ts'

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
  /** The most that a unit of gas may cost, in wei; null: the bound of the chain. */
  maxFee: bigint | null
  /** The only call that is wanted. */
  only: string | null
}

export interface Seen extends Target {
  sight: Sight
  nodes: readonly [Node, ...Node[]]
}

export type Coins = ReturnType<typeof coinWords>

/** Nodes keep few waiting transactions of one account. */
const UNMINED_MAX = 16

interface Sent {
  vault: Hex
  call: string
  transaction: string
  /** The most that the network may take for it. */
  fee_max_wei: bigint
}

/** Sends what can be sent now, or prints it. What fails is told and holds up nothing else. */
export async function actOn(call: Call, task: Task, wanted: readonly Seen[], coinsOf: (node: Node) => Coins) {
  const { terminal, json } = call
  const senders = new Map<Node, Sender>()
  let waiting: (Sent & { words: string; sender: Sender })[] = []
  const sent: Sent[] = []
  let failed = 0
  const fail = (name: string, error: unknown): void => {
    failed += 1
    terminal.note(`${name}: ${sentenceOf(error)}`)
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
    if (task.key === null && !json) await showUnsigned(call, one, { choices, task })
    if (task.key === null) continue
    const [node] = one.nodes
    const sender = senders.get(node) ?? senderOf(node, task.key)
    senders.set(node, sender)
    for (const moves of choices) {
      const refused: unknown[] = []
      let isSent = false
      // A merchant that cannot be paid is no reason to stop: the next call may pay without a fee, or the other side.
      for (const move of moves) {
        const words = (await callWords(move, coinsOf(node))).slice(0, 2).join(': ')
        const cost = await costOfMove(one, move, task).catch((error: unknown) => void refused.push(error))
        if (cost === undefined) {
          if (refused.at(-1) instanceof CostRefusal) break
          continue
        }
        if (!json) terminal.out(`${words}; ${costWords(cost)}`)
        if (!call.isOn('yes')) await confirm(terminal, `Send ${words}; ${costWords(cost)}?`)
        try {
          const { chainId } = one.sight
          const transaction = await sender.send({ exit: one.exit, chainId, call: move, cost })
          const fee_max_wei = costWei(cost)
          waiting.push({ vault: one.exit.vault, call: move.name, transaction, fee_max_wei, words, sender })
          isSent = true
          break
        } catch (error) {
          refused.push(error)
        }
      }
      if (!isSent) fail(one.name, refused.find((error) => error instanceof CostRefusal) ?? refused[0])
      if (waiting.length >= UNMINED_MAX) await settle()
    }
  }
  await settle()
  return { sent, failed }
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
      if (move.token !== token || sight.block.time < move.opensAt) continue
      if (only === null ? move.isByName : move.name !== only) continue
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

/** Of every node the vault's chain has here; without a key as if anybody sent it. */
const costOfMove = ({ exit, sight, nodes }: Seen, { data }: Move, { key, maxFee }: Task): Promise<Cost> =>
  costOf(nodes, { chainId: sight.chainId, from: key?.address ?? null, to: exit.factory, data, bound: maxFee })

async function showUnsigned(
  { terminal }: Call,
  one: Seen,
  { choices, task }: { choices: readonly (readonly Move[])[]; task: Task },
): Promise<void> {
  if (choices.length === 0) return
  terminal.out(terminal.paint.bold('to send with any wallet, or with --key-file'))
  for (const [move] of choices) {
    if (move === undefined) continue
    terminal.out(JSON.stringify(unsigned(one.exit, one.sight.chainId, move)))
    if (move.by !== 'anybody') continue
    const words = costOfMove(one, move, task).then(costWords, sentenceOf)
    terminal.out(await words)
  }
  terminal.out('')
}

const sentenceOf = (error: unknown): string => (error instanceof LookFault ? error.message : tell(error).sentence)
