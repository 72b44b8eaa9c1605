// The tables that a piece of SQL names. Pure. A piece may be a fragment, with holes where other fragments are put in, so no
// parser of whole statements reads it.
import { HOLE } from './literals.ts'

const isBeforeTable = /^(from|join|update|into|only|table|using|lateral|,)$/

/** @returns those of `tables` that the text reads or writes, each once. A column, an alias and a word in quotes are none. */
export function tablesIn(text: string, tables: ReadonlySet<string>): string[] {
  const words = text
    .replace(/--.*$/gm, '')
    .replace(/'(?:[^']|'')*'/g, "''")
    .match(new RegExp(`[a-z_][a-z0-9_]*|${HOLE}|\\S`, 'gi'))
  const found = new Set<string>()
  const all = (words ?? []).map((word) => word.toLowerCase())
  all.forEach((word, at) => {
    // A schema may stand before the name.
    const isQualified = all[at - 1] === '.' && all[at - 2] === 'florin'
    const before = all[isQualified ? at - 3 : at - 1]
    const isName = before === undefined ? isFragmentOf(all) : isBeforeTable.test(before) && all[at + 1] !== '.'
    if (tables.has(word) && isName) found.add(word)
  })
  return [...found]
}

/** A text that begins with a table, such as `payments p`, is put behind a `from`. A lone word without `_` may be any name. */
const isFragmentOf = ([name = '', alias, next]: readonly string[]): boolean =>
  alias === undefined
    ? name.includes('_')
    : /^[a-z]{1,2}$/.test(alias) && /^(join|left|where|,|undefined)$/.test(`${next}`)
