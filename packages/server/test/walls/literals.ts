// The string and template literals of a TypeScript file, as text. Pure.

/** Stands in a literal's text where it has an interpolation. */
export const HOLE = '\u0000'

/** @returns every literal; a literal inside an interpolation is an entry of its own. @throws Error where the file does not end between them. */
export function literalsOf(code: string): string[] {
  const found: string[] = []
  // A template that is open is the text read so far; a number counts the open braces of code inside an interpolation.
  const open: (string[] | number)[] = [0]
  const pattern =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?<=(?:[(,=:[!&|?{};>+]|\breturn)\s*)\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/|[\s\S]/g
  for (let at = 0; at < code.length; ) {
    const top = open.at(-1)
    if (typeof top === 'object') {
      const end = /\\[\s\S]|\$\{|`/g
      end.lastIndex = at
      const stop = end.exec(code)
      if (stop === null) throw new Error('a template is never closed')
      top.push(code.slice(at, stop.index))
      at = end.lastIndex
      if (stop[0] === '`') {
        found.push(top.join(''))
        open.pop()
      } else if (stop[0] === '${') {
        top.push(HOLE)
        open.push(0)
      } else top.push(stop[0])
      continue
    }
    pattern.lastIndex = at
    const [token = ''] = pattern.exec(code) ?? []
    at = pattern.lastIndex
    const depth = top ?? 0
    if (token === '`') open.push([])
    else if (token === '{') open[open.length - 1] = depth + 1
    else if (token === '}' && depth === 0 && open.length > 1) open.pop()
    else if (token === '}') open[open.length - 1] = depth - 1
    else if (/^['"]./.test(token)) found.push(token.slice(1, -1))
  }
  if (open.length !== 1) throw new Error('a template is never closed')
  return found
}
