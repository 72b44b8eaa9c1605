/** Milliseconds before the next try: doubling from 1 s to 30 s, spread so that many tabs do not return at once. */
export function reconnectWait(failures: number, random: number): number {
  const full = Math.min(30_000, 1000 * 2 ** Math.max(0, failures - 1))
  return Math.round(full * (0.5 + random / 2))
}
