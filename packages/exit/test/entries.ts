// Entries of a journal, each of another leg.
import type { JournalEntry } from '../src/journal/index.ts'
import { aProof } from './proofs.ts'

export const anEntry = (n: number): JournalEntry => ({
  ...{ leg_ref: `ref.${n}`, livemode: true, chain: 'base', asset: 'USDC', decimals: 6 },
  proof: aProof({ ref: `0x${n.toString(16).padStart(64, '0')}` }),
  at: new Date(1_700_000_000_000 + n).toISOString(),
})
