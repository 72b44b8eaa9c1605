// While coverage is measured (script/audit/coverage.ts), every transaction and simulated call of a test is traced, and which
// instructions of our contracts ran, and which way each jump went, is written into a folder.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, Address, Hex } from 'viem'

/** Creation codes of the build under measurement, by contract. */
export type Build = Record<string, { abi: Abi; bytecode: Hex }>

/** Jumps by position: bit 1 where it was taken, bit 2 where it was not. */
export type Hits = Record<string, { ran: number[]; jumps: Record<number, number> }>

const folder = process.env.CONTRACTS_COVERAGE
export const build: Build | null = folder ? JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8')) : null

interface Frame {
  type: string
  to?: Address
  calls?: Frame[]
}
interface Step {
  pc: number
  op: string
  depth: number
}
type Rpc = <T>(method: string, params: readonly unknown[]) => Promise<T>

const STEPS = { disableStorage: true, disableMemory: true, disableStack: true }
const CALLS = ['CALL', 'DELEGATECALL', 'STATICCALL', 'CALLCODE', 'CREATE', 'CREATE2']

const BURNED = 500_000

let written = 0

export class Tracer {
  readonly #rpc: Rpc
  /** Deployed contracts by address. */
  readonly #names = new Map<Address, string>()
  readonly #ran = new Map<string, { pcs: Set<number>; jumps: Map<number, number> }>()

  constructor(rpc: Rpc) {
    this.#rpc = rpc
  }

  /** @param data of the transaction, by which a deployment is known. */
  async transaction(hash: Hex, data: Hex | undefined, created: Address | null, gasUsed: number): Promise<void> {
    // What burns gas on purpose has traces of many megabytes, and shows nothing that the others do not.
    if (gasUsed > BURNED && !created) return
    const [name] = Object.entries(build ?? {}).find(([, { bytecode }]) => data?.startsWith(bytecode)) ?? []
    if (created && name) this.#names.set(created, name)
    await this.#trace('debug_traceTransaction', [hash], name ? `${name} creation` : null)
  }

  call(call: object): Promise<void> {
    return this.#trace('debug_traceCall', [call, 'latest'], null)
  }

  async #trace(method: string, params: readonly unknown[], creating: string | null): Promise<void> {
    const [{ structLogs }, frame] = await Promise.all([
      this.#rpc<{ structLogs: Step[] }>(method, [...params, STEPS]),
      this.#rpc<Frame>(method, [...params, { tracer: 'callTracer' }]),
    ])
    const stack = [{ frame, next: 0, code: creating ?? this.#nameOf(frame, null) }]
    for (const [n, step] of structLogs.entries()) {
      stack.length = step.depth
      const top = stack.at(-1)
      if (!top) throw new Error('a trace goes deeper than its calls')
      const following = structLogs[n + 1]
      this.#note(top.code, step, following)
      if (!CALLS.includes(step.op)) continue
      const child = top.frame.calls?.[top.next++]
      if (following && child && following.depth > step.depth) {
        stack.push({ frame: child, next: 0, code: this.#nameOf(child, top.code) })
      }
    }
  }

  #nameOf({ type, to }: Frame, above: string | null): string | null {
    if (!to) return null
    if (!type.startsWith('CREATE')) return this.#names.get(to) ?? null
    // The factory's constructor makes the code of all vaults.
    if (above !== 'PayFactory creation') return null
    this.#names.set(to, 'DepositVault')
    return 'DepositVault creation'
  }

  #note(code: string | null, { pc, op, depth }: Step, following: Step | undefined): void {
    if (!code) return
    const hits = this.#ran.get(code) ?? { pcs: new Set(), jumps: new Map() }
    this.#ran.set(code, hits)
    hits.pcs.add(pc)
    if (op !== 'JUMPI' || following?.depth !== depth) return
    hits.jumps.set(pc, (hits.jumps.get(pc) ?? 0) | (following.pc === pc + 1 ? 2 : 1))
  }

  write(): void {
    const hits: Hits = Object.fromEntries(
      [...this.#ran].map(([name, { pcs, jumps }]) => [name, { ran: [...pcs], jumps: Object.fromEntries(jumps) }]),
    )
    writeFileSync(join(folder ?? '', `hits-${process.pid}-${written++}.json`), JSON.stringify(hits))
  }
}
