// BENCH_SMOKE=1, as `npm test` sets it: one short round, to see that the benchmark still works. Its figures say nothing.

const isSmoke = process.env.BENCH_SMOKE === '1'

/** What a benchmark is made of in full, and in a smoke. */
export function orSmoke<T>(full: T, smoke: T): T {
  return isSmoke ? smoke : full
}

/** The exit code: goals are judged in full only. */
export function verdict(reached: readonly boolean[]): number {
  return isSmoke || reached.every(Boolean) ? 0 : 1
}
