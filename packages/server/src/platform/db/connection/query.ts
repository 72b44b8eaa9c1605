// A prepared statement on its way: pg's own query, which learns the columns of its rows once a connection. pg asks for them
// with each execution, and PostgreSQL writes and we read forty names and types of a row that cannot have changed:
// PostgreSQL refuses a prepared statement whose columns did (../failures.ts, isStalePlan). Of reading an order that was a
// sixth (npm run bench -- orders).
import pg from 'pg'
import type { Row } from '../sql.ts'
import { columnTypes } from './columns.ts'

interface Field {
  name: string
  dataTypeID: number
  format: 'text' | 'binary'
}

/** How rows of one statement are read. */
class Columns {
  readonly #names: readonly string[]
  readonly #parsers: readonly ((text: string) => unknown)[]
  readonly #blank: Row

  constructor(fields: readonly Field[]) {
    this.#names = fields.map((field) => field.name)
    this.#parsers = fields.map((field) => columnTypes.getTypeParser(field.dataTypeID, field.format))
    // Read from text an object has a fixed shape, which its copies share; put together by names it is a dictionary.
    this.#blank = JSON.parse(JSON.stringify(Object.fromEntries(this.#names.map((name) => [name, null])))) as Row
  }

  read(values: readonly (string | null)[]): Row {
    const row = { ...this.#blank }
    for (let n = 0; n < values.length; n++) {
      const value = values[n]
      const name = this.#names[n]
      const parse = this.#parsers[n]
      if (value !== null && value !== undefined && name !== undefined && parse !== undefined) row[name] = parse(value)
    }
    return row
  }
}

const noColumns = new Columns([])

/** What one connection knows of the statements that it has prepared, by their names. */
export class Learned {
  readonly #columns = new Map<string, Columns>()
  #silent: pg.Connection | null = null

  get(name: string): Columns | undefined {
    return this.#columns.get(name)
  }

  set(name: string, columns: Columns): void {
    this.#columns.set(name, columns)
  }

  /** The same connection, which does not ask for columns. */
  silent(connection: pg.Connection): pg.Connection {
    this.#silent ??= Object.create(connection, { describe: { value: () => undefined } }) as pg.Connection
    return this.#silent
  }
}

/** The messages that pg hands to a query, as other query classes of pg (pg-cursor) take them too. */
export class PreparedQuery extends pg.Query {
  readonly name: string
  readonly #learned: Learned
  readonly #rows: Row[] = []
  #columns: Columns | undefined
  #failure: unknown = null

  constructor(
    a: { name: string; text: string; values: unknown[] },
    learned: Learned,
    done: (error: unknown, rows: Row[]) => void,
  ) {
    super(a.text, a.values, (error: Error | undefined) => done(error ?? this.#failure, this.#rows))
    this.name = a.name
    this.#learned = learned
    this.#columns = learned.get(a.name)
  }

  // pg declares a property, which a method may not override. Set in the constructor it would be a function of each query's own:
  // V8 puts a function that is written as a property's value among what lives long, where it keeps the rows of its query until
  // the next full collection, tens of megabytes later.
  static {
    const send = pg.Query.prototype.submit
    const submit = function (this: PreparedQuery, connection: pg.Connection): void {
      send.call(this, this.#columns === undefined ? connection : this.#learned.silent(connection))
    }
    Object.defineProperty(PreparedQuery.prototype, 'submit', { value: submit })
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = new Columns(fields)
    this.#learned.set(this.name, this.#columns)
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      this.#rows.push((this.#columns ?? noColumns).read(fields))
    } catch (error) {
      this.#failure = error
    }
  }

  handleCommandComplete(): void {
    // It described itself, and has no rows to return.
    if (this.#columns === undefined) this.#learned.set(this.name, noColumns)
  }
}
