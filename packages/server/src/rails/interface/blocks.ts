// What a rail that reads blocks whole can tell others: whom they pay. Told as the source tells it, and proof of nothing.

export interface BlockOutputs {
  chain: string
  /** How the source is shown. */
  name: string
  tip(): Promise<number>
  /** null: there is no such block yet. */
  hashAt(height: number): Promise<string | null>
  /** Which of these addresses the block pays, and by which transactions. */
  paid(hash: string, addresses: readonly string[]): Promise<{ address: string; txHash: string }[]>
}
