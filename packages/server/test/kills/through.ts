// A pool whose statements a test passes on itself: to count them, to hold them back, to look at their rows.
import type { Sql } from '@florin/platform/db/pool'
import { makeTag, type Row, type Statement, type Tag } from '@florin/platform/db/sql'

type Around = (statement: Statement, run: () => Promise<Row[]>) => Promise<Row[]>

export function through(sql: Sql, around: Around): Sql {
  const over = (target: Tag): Tag =>
    makeTag((statement) =>
      around(statement, async () => [...(await target.unsafe(statement.text, statement.values as never[]))]),
    )
  return Object.assign(over(sql), {
    ...sql,
    apart: (options: Parameters<Sql['apart']>[0]): Sql => through(sql.apart(options), around),
    begin: <T>(...args: [(tx: Tag) => Promise<T>] | [string, (tx: Tag) => Promise<T>]): Promise<T> =>
      args.length === 1 ? sql.begin((tx) => args[0](over(tx))) : sql.begin(args[0], (tx) => args[1](over(tx))),
  }) as Sql
}
