// Walking through lists. Every list of the service answers { data, has_more, next_cursor } (contract.md 4.4).
import { FlorinError } from './errors.ts'

export interface Page<Item> {
  data: Item[]
  has_more: boolean
  /** Where the next page begins; opaque. */
  next_cursor: string | null
  /** Of orders: where the look ended before the page was full; `next_cursor` goes on from there. */
  searched_until?: string | null
}

/**
 * A list: iterate it to walk through all of it, page by page behind the scenes, or take pages yourself.
 *
 * @example
 * for await (const order of florin.orders.list({ status: 'success' })) console.log(order.order_no)
 * const { data, next_cursor } = await florin.orders.list({ limit: 10 }).page()
 */
export class List<Item> implements AsyncIterable<Item> {
  readonly #load: (cursor: string | undefined) => Promise<Page<Item>>
  readonly #start: string | undefined

  constructor(start: string | undefined, load: (cursor: string | undefined) => Promise<Page<Item>>) {
    this.#start = start
    this.#load = load
  }

  /** The first page alone. */
  page(): Promise<Page<Item>> {
    return this.#load(this.#start)
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor = this.#start
    for (;;) {
      const page = await this.#load(cursor)
      yield page
      if (!page.has_more) return
      // A list that does not advance would otherwise be read for ever.
      if (page.next_cursor === null || page.next_cursor === cursor) {
        throw new FlorinError('The list says that it goes on, but not where.', {
          code: 'unexpected_answer',
          type: 'connection',
        })
      }
      cursor = page.next_cursor
    }
  }

  /** Item after item, through all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }
}
