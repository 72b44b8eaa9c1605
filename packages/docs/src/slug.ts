// The id of a heading as GitHub makes it, so that one link works there and on the site. Pure.

export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')

/** @returns a function that numbers what comes again, so that each id of a page is there once */
export function uniqueIds(): (id: string) => string {
  const seen = new Map<string, number>()
  return (id) => {
    const times = seen.get(id) ?? 0
    seen.set(id, times + 1)
    return times === 0 ? id : `${id}-${times}`
  }
}
