// The simulation of a process that is killed between two statements: the statement with the given number and all
// after it never reach the database; an open transaction is rolled back, as it is when its client dies.
import type { Sql } from '@florin/platform/db/pool'

export class Killed extends Error {}

export interface KillableSql {
  sql: Sql
  /** Statements that were let through. */
  count(): number
}

/** @param killAt the number of the first statement that is not carried out; Infinity: none. */
export function killable(sql: Sql, killAt: number): KillableSql {
  let statements = 0
  const step = (): void => {
    if (statements >= killAt) throw new Killed(`killed before statement ${statements + 1}`)
    statements++
  }
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      apply(callable, self, args: unknown[]) {
        // A call with a template is a statement; other calls only build fragments of one.
        if (Array.isArray(args[0]) && 'raw' in args[0] && isStatement(args[0])) step()
        return Reflect.apply(callable as unknown as (...a: unknown[]) => unknown, self, args)
      },
      get(object, name) {
        if (name === 'begin') {
          return async (work: (tx: unknown) => Promise<unknown>) => {
            const result = await (object as unknown as Sql).begin((tx) => work(wrap(tx)))
            return result
          }
        }
        return Reflect.get(object, name) as unknown
      },
    })
  return { sql: wrap(sql), count: () => statements }
}

const isStatement = (template: readonly unknown[]): boolean =>
  /^\s*(select|insert|update|delete|with)\b/i.test(String(template[0]))
