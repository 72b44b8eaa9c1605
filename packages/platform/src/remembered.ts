// What was worked out last, so that it is not worked out again. Nothing but time is lost where it is forgotten: with more than `most`
// it begins anew.

export function remembered<T>(most: number): (name: string, make: () => T) => T {
  const known = new Map<string, T>()
  return (name, make) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const made = make()
    if (known.size >= most) known.clear()
    known.set(name, made)
    return made
  }
}
