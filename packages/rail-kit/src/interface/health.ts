// How a rail fares: troubles, ways that are out, and what is open before real money comes.

/** A way that does not work now; it comes back by itself. */
export interface SickRoute {
  chain: string
  /** null: every asset of the chain; `*`: whatever the rail carries. */
  asset: string | null
  side: 'pay' | 'settle'
  since: Date
  /** In a sentence. */
  note: string
}

/** Something keeps money from moving, or soon will. It is over when it is no longer reported. */
export interface RailTrouble {
  kind:
    | 'out_of_gas'
    | 'low_on_gas'
    | 'gas_over_cap'
    | 'role_missing'
    | 'refunds_paused'
    | 'sending_stopped'
    | 'key_missing'
    | 'key_silent'
    | 'provider_out'
    | 'chain_silent'
    | 'journal_out'
    | 'token_unreadable'
  chain: string
  livemode: boolean
  /** The key or provider that it is about; null: the chain as a whole. */
  subject: string | null
  since: Date
  /** For operators: what it is, and what to do. */
  note: string
  cure: string
  /** What orders wait for meanwhile. */
  holdsUp: readonly HeldUp[]
}

export type HeldUp = 'payments' | 'settlements' | 'refunds'

/** A point of the checklist before real money comes. */
export interface GoLivePoint {
  name: string
  ok: boolean
  says: string
  /** How to close it, in one sentence; null where it is closed. */
  fix: string | null
}

export interface GoLiveQuestion {
  /** The guardian's address; null: it was not said. */
  guardian: string | null
  /** The process that is asked answers requests of the world. */
  answersRequests: boolean
}

export interface RailHealth {
  ok: boolean
  notes: string[]
  troubles: RailTrouble[]
  /** The chains it speaks of: a trouble of another chain may be known to another process. */
  chains: string[]
  /** Chains that other processes have watched lately. Left out: it cannot say. */
  elsewhere?: string[]
  /** Single ways that are out, where the rail as a whole is not. */
  sick?: SickRoute[]
}
