// The contract tests of every rail. A rail's test provides a world (how money moves there); this suite drives it and
// checks only orders: each case ends with every unit accounted for, also when the service is killed between any two of
// its statements.
import { booksContract } from './contract/books.contract.ts'
import { dustContract } from './contract/dust.contract.ts'
import { killsContract } from './contract/kills.contract.ts'
import { paymentsContract } from './contract/payments.contract.ts'
import { providersContract } from './contract/providers.contract.ts'
import { refundsContract } from './contract/refunds.contract.ts'
import { reorgsContract } from './contract/reorgs.contract.ts'
import { type Kind, type MakeWorld, type RailWorld, suiteOf } from './contract/world.contract.ts'

export type { RailWorld }

/**
 * @param a.killEvery 1: killed before every statement in turn; n: before every n-th, where a world is slow.
 * @param a the rest: see Kind.
 */
export function railContract(
  rail: string,
  makeWorld: MakeWorld,
  { killEvery = 1, ...kind }: { killEvery?: number } & Kind = {},
): void {
  const suite = suiteOf(rail, makeWorld, kind)
  paymentsContract(suite)
  // Of a third party nobody sees more than the sum that it tells of.
  if (!suite.byProvider) {
    dustContract(suite)
    reorgsContract(suite)
    refundsContract(suite)
  }
  booksContract(suite)
  providersContract(suite)
  killsContract(suite, { killEvery })
}
