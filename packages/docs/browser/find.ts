// The search: what is indexed and how hits are ranked. Pure, so that tests ask what the page asks.
import MiniSearch from 'minisearch'

/** One section or one named row, as the site's build writes it: page, id, title, text, whether it is a row. */
export type Packed = readonly [page: number, id: string, title: string, text: string, isRow: 0 | 1]

export interface Corpus {
  /** URL and title of each page. */
  pages: readonly (readonly [url: string, title: string])[]
  entries: readonly Packed[]
}

export interface Hit {
  url: string
  title: string
  page: string
  text: string
}

/** Whole words, and the parts of names such as idempotency_key_reused. */
function words(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}_]+/u)
    .flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]))
    .filter((word) => word !== '')
}

export function makeSearch(corpus: Corpus): (query: string) => Hit[] {
  const index = new MiniSearch<{ id: number; title: string; page: string; text: string }>({
    fields: ['title', 'page', 'text'],
    tokenize: words,
  })
  index.addAll(
    corpus.entries.map(([page, , title, text], id) => ({ id, title, page: corpus.pages[page]?.[1] ?? '', text })),
  )
  return (query) => {
    const asked = query.trim().toLowerCase()
    if (asked === '') return []
    const options = {
      prefix: (term: string) => term.length > 1,
      fuzzy: (term: string) => (term.length > 5 && !term.includes('_') ? 0.2 : false),
      boost: { title: 4, page: 2 },
      // Whoever types a name as it is wants the place that explains it: an error's section before a field's row.
      boostDocument: (id: number) => {
        const [page, , title = '', , isRow] = corpus.entries[id] ?? []
        const exact = title.toLowerCase() === asked ? 8 : 1
        const url = corpus.pages[page ?? -1]?.[0] ?? ''
        return exact * (isRow === 1 ? 0.6 : 1) * (/decisions|console/.test(url) ? 0.5 : 1)
      },
    }
    const all = index.search(asked, { ...options, combineWith: 'AND' })
    const found = all.length > 0 ? all : index.search(asked, options)
    return found.slice(0, 12).flatMap(({ id }) => {
      const [page = -1, anchor = '', title = '', text = ''] = corpus.entries[id as number] ?? []
      const [url = '', name = ''] = corpus.pages[page] ?? []
      return [{ url: anchor === '' ? url : `${url}#${anchor}`, title, page: name, text: excerpt(text, asked) }]
    })
  }
}

/** What stands around the first word that was asked for. */
function excerpt(text: string, asked: string): string {
  const [word = ''] = words(asked)
  const at = text.toLowerCase().indexOf(word)
  const from = at < 60 ? 0 : text.indexOf(' ', at - 50) + 1
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 150)}${text.length > from + 150 ? ' …' : ''}`
}
