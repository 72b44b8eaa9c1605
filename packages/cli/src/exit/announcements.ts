// Refunds that were announced on the chain, for addresses that hold money and bind no refund address: looked for once a chain
// and factory, then asked of every node.
import {
  type Announced,
  findAnnounced,
  type Hex,
  LookFault,
  mayBeAnnounced,
  standing,
  withAnnounced,
} from '@florin/exit'
import type { Call } from '../command.ts'
import { Failure } from '../failure.ts'
import type { Seen, Task } from './act.ts'

/** A scan of a chain with short blocks takes some hundred questions: it says how far it is. */
const TELL_EVERY_MS = 2_000

export async function withAnnouncements(call: Call, task: Task, seen: readonly Seen[]): Promise<Seen[]> {
  const about = seen.filter(({ exit, sight }) => sight.fault === null && mayBeAnnounced(exit, sight.holdings))
  const announced = new Map<Seen, readonly Announced[]>()
  const places = new Set(about.map(placeOf))
  for (const place of places) {
    const some = about.filter((one) => placeOf(one) === place)
    try {
      for (const [one, found] of await lookThrough(call, some)) announced.set(one, found)
    } catch (error) {
      if (!(error instanceof LookFault) || task.only === 'executeRefund') throw error
      call.terminal.note(`Refunds that were announced could not be looked for: ${error.message}`)
    }
  }
  return seen.map((one) => {
    const found = announced.get(one) ?? []
    return found.length === 0 ? one : { ...one, sight: withAnnounced(one.exit, one.sight, found) }
  })
}

const placeOf = ({ exit, sight }: Seen): string => `${sight.chainId} ${exit.factory}`

async function lookThrough({ terminal }: Call, some: readonly Seen[]): Promise<Map<Seen, readonly Announced[]>> {
  const [first] = some
  const announced = new Map<Seen, readonly Announced[]>()
  if (first === undefined) return announced
  const { exit, nodes, sight } = first
  let toldAt = Date.now()
  const onProgress = (done: number): void => {
    if (Date.now() - toldAt < TELL_EVERY_MS) return
    toldAt = Date.now()
    terminal.note(`Looking through seven days of chain ${sight.chainId} for announced refunds: ${done} %`)
  }
  const vaults = [...new Set<Hex>(some.map((one) => one.exit.vault))]
  const question = { factory: exit.factory, vaults, block: sight.block, onProgress }
  const found = await scanAny(nodes, question)
  for (const one of some) {
    const said = await Promise.all(nodes.map((node) => standing(node, one.exit, { found, block: sight.block })))
    const [words, ...others] = said.map((known) => known.map(({ to, opensAt }) => `${to} ${opensAt}`).join())
    if (others.some((other) => other !== words)) throw new Failure('The nodes do not agree on what was announced.')
    announced.set(one, said[0] ?? [])
  }
  return announced
}

/** What one node does not look through another may. */
async function scanAny(nodes: Seen['nodes'], question: Parameters<typeof findAnnounced>[1]) {
  let fault: unknown = null
  for (const node of nodes) {
    try {
      return await findAnnounced(node, question)
    } catch (error) {
      fault = error
    }
  }
  throw fault
}
