// The same work several times at once.

/** All of it has ended when this ends, also where some of it failed. @throws the first failure. */
export async function atOnce(n: number, work: () => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(Array.from({ length: n }, work))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
}
