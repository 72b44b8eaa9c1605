/**
 * The same items, so many at a time: a statement has 65,535 parameters at most, a node answers so many questions at once, and what
 * strangers make, such as a block's outputs, may be more.
 */
export function chunksOf<T>(items: readonly T[], size = 1_000): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}
