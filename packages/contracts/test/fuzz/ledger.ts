// What a fuzz run knows from outside: money that was seen to move, roles, announcements, blocks. Nothing is read from the
// contract under test, so a contract that keeps wrong books is found out.
import type { Address } from 'viem'
import type { Order } from './world.ts'

/** Units that left a vault. */
export interface Flow {
  vault: Address
  token: Address
  to: Address
  amount: bigint
}

export interface Proposal {
  order: Order
  token: Address
  to: Address
  amount: bigint
  at: number
  state: 'open' | 'vetoed' | 'executed'
}

export interface ScheduledRole {
  role: number
  who: Address
  on: boolean
  at: number
}

const key = (...parts: unknown[]) => parts.join(' ')

export class Ledger {
  readonly proposals = new Map<string, Proposal>()
  readonly scheduled = new Map<string, ScheduledRole>()
  /** Vaults that have code. */
  readonly opened = new Set<Address>()
  paused = false
  /** USDC as a whole stands still. */
  tokenPaused = false
  /** Time of the newest block seen. */
  now = 0
  readonly #balances = new Map<string, bigint>()
  readonly #received = new Map<string, bigint>()
  readonly #blocked = new Set<string>()
  readonly #roles = new Set<string>()
  readonly #failures = new Map<string, number>()

  constructor(keys: { relayer: Address; refunder: Address; guardian: Address }) {
    for (const [role, who] of [keys.relayer, keys.refunder, keys.guardian].entries()) this.setRole(role, who, true)
  }

  balance(vault: Address, token: Address): bigint {
    return this.#balances.get(key(vault, token)) ?? 0n
  }

  received(who: Address, token: Address): bigint {
    return this.#received.get(key(who, token)) ?? 0n
  }

  deposit(vault: Address, token: Address, amount: bigint): void {
    this.#balances.set(key(vault, token), this.balance(vault, token) + amount)
  }

  move(flow: Flow): void {
    this.deposit(flow.vault, flow.token, -flow.amount)
    this.#received.set(key(flow.to, flow.token), this.received(flow.to, flow.token) + flow.amount)
    this.forgetFailure(flow.vault, flow.token, flow.to)
  }

  /** When a push was recorded as failed; 0 when none is. */
  failure(vault: Address, token: Address, to: Address): number {
    return this.#failures.get(key(vault, token, to)) ?? 0
  }

  recordFailure(vault: Address, token: Address, to: Address, at: number): void {
    this.#failures.set(key(vault, token, to), at)
  }

  forgetFailure(vault: Address, token: Address, to: Address): void {
    this.#failures.delete(key(vault, token, to))
  }

  failures(): { vault: Address; token: Address; to: Address; at: number }[] {
    return [...this.#failures].map(([id, at]) => {
      const [vault, token, to] = id.split(' ') as [Address, Address, Address]
      return { vault, token, to, at }
    })
  }

  hasRole(role: number, who: Address): boolean {
    return this.#roles.has(key(role, who))
  }

  setRole(role: number, who: Address, on: boolean): void {
    if (on) this.#roles.add(key(role, who))
    else this.#roles.delete(key(role, who))
  }

  isBlocked(token: Address, who: Address): boolean {
    return this.#blocked.has(key(token, who))
  }

  setBlocked(token: Address, who: Address, on: boolean): void {
    if (on) this.#blocked.add(key(token, who))
    else this.#blocked.delete(key(token, who))
  }

  proposal(refund: { order: Order; token: Address; to: Address; amount: bigint }): Proposal | undefined {
    return this.proposals.get(key(refund.order.vault, refund.token, refund.to, refund.amount))
  }

  propose(proposal: Proposal): void {
    const id = key(proposal.order.vault, proposal.token, proposal.to, proposal.amount)
    // Announced again, it is the youngest again.
    this.proposals.delete(id)
    this.proposals.set(id, proposal)
  }

  schedule(change: ScheduledRole): void {
    this.scheduled.set(key(change.role, change.who, change.on), change)
  }

  scheduledRole(change: { role: number; who: Address; on: boolean }): ScheduledRole | undefined {
    return this.scheduled.get(key(change.role, change.who, change.on))
  }

  unschedule(change: ScheduledRole): void {
    this.scheduled.delete(key(change.role, change.who, change.on))
  }
}
