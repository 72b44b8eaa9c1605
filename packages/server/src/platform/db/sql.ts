// The `sql` tag: sql`select ${x}` is a statement with parameters. Awaited, it runs and returns its rows; inside another
// statement, it is a fragment. It does not run before it is awaited or `execute()` is called.

export type Row = Record<string, unknown>
type Scalar = string | number | bigint | boolean | Date | Uint8Array | null
/** Values that `${…}` accepts. An array becomes a PostgreSQL array and needs a cast: ${ids}::text[]. */
export type Parameter = Scalar | readonly Parameter[] | Fragment

/** A statement while its text is being built. */
export class Statement {
  text = ''
  readonly values: unknown[] = []

  add(value: unknown, isCast: boolean): void {
    if (value === undefined) throw new TypeError(`undefined is no parameter of a statement: ${this.text.slice(-60)}`)
    this.values.push(value)
    this.text += `$${this.values.length}${isCast ? '' : castOf(value)}`
  }
}

/** PostgreSQL infers the type of a parameter from its place; where JavaScript knows it better, the type is sent. */
function castOf(value: unknown): string {
  if (typeof value === 'bigint') return '::bigint'
  if (typeof value === 'boolean') return '::boolean'
  if (value instanceof Date) return '::timestamptz'
  return value instanceof Uint8Array ? '::bytea' : ''
}

/** A fragment of a statement. */
export class Fragment {
  readonly writeTo: (statement: Statement) => void

  constructor(writeTo: (statement: Statement) => void) {
    this.writeTo = writeTo
  }
}

export type Run = (statement: Statement) => Promise<Row[]>

export class Query<T> extends Fragment implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Query'
  readonly #run: Run
  #rows: Promise<T> | null = null

  constructor(run: Run, writeTo: (statement: Statement) => void) {
    super(writeTo)
    this.#run = run
  }

  #start(): Promise<T> {
    this.#rows ??= this.#send()
    return this.#rows
  }

  // The row type is the caller's responsibility, matching the columns in the text.
  async #send(): Promise<T> {
    const statement = new Statement()
    this.writeTo(statement)
    return (await this.#run(statement)) as T
  }

  /** Sends it now; its rows are awaited later. */
  execute(): this {
    this.#start().catch(() => undefined)
    return this
  }

  then<A = T, B = never>(
    onRows?: ((rows: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#start().then(onRows, onError)
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#start().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.#start().finally(onEnd)
  }
}

export interface Tag {
  <T extends readonly object[] = Row[]>(text: TemplateStringsArray, ...values: Parameter[]): Query<T>
  /** A quoted name. */
  (name: string): Fragment
  /** `("a", "b") values ($1, $2), …` with the columns of the first row. */
  (rows: readonly Readonly<Record<string, Parameter>>[]): Fragment
  /** Raw text from our own code; without values it may hold several statements. */
  unsafe<T extends readonly object[] = Row[]>(text: string, values?: readonly Parameter[]): Query<T>
  json(value: unknown): Fragment
}

export function makeTag(run: Run): Tag {
  function tag(first: TemplateStringsArray | string | readonly Row[], ...values: unknown[]): Fragment {
    if (typeof first === 'string') return nameOf(first)
    if (!('raw' in first)) return rowsOf(first)
    return new Query(run, (statement) => {
      statement.text += first[0]
      values.forEach((value, n) => {
        const rest = first[n + 1] ?? ''
        if (value instanceof Fragment) value.writeTo(statement)
        else statement.add(value, rest.startsWith('::'))
        statement.text += rest
      })
    })
  }
  const unsafe = (text: string, values: readonly unknown[] = []): Fragment =>
    new Query(run, (statement) => {
      statement.text += text
      statement.values.push(...values)
    })
  const json = (value: unknown): Fragment => new Fragment((statement) => statement.add(JSON.stringify(value), true))
  return Object.assign(tag, { unsafe, json }) as Tag
}

const nameOf = (name: string): Fragment =>
  new Fragment((statement) => {
    statement.text += quoted(name)
  })

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

function rowsOf(rows: readonly Row[]): Fragment {
  const columns = Object.keys(rows[0] ?? {})
  return new Fragment((statement) => {
    statement.text += `(${columns.map(quoted).join(', ')}) values `
    rows.forEach((row, n) => {
      statement.text += n === 0 ? '(' : '), ('
      columns.forEach((column, i) => {
        if (i > 0) statement.text += ', '
        const value = row[column]
        if (value instanceof Fragment) value.writeTo(statement)
        else statement.add(value, false)
      })
    })
    statement.text += ')'
  })
}
