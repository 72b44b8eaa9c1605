/** Why nothing may expire or be refunded on the word of this newest block; null: it is new enough. */
export function oldHead(chain: { headMaxAgeMs: number | null }, head: { time: Date }, now: Date): string | null {
  const ageMs = now.getTime() - head.time.getTime()
  if (chain.headMaxAgeMs === null || ageMs <= chain.headMaxAgeMs) return null
  return `the newest block that its providers agree on is ${Math.round(ageMs / 1000)} s old: nothing expires and nothing is refunded`
}
