// The conformance suite of rails. The test of a rail provides a world (how money moves there) and a host (the orders' side). The suite
// drives the world and reads orders alone: each case ends with every unit accounted for, also when the process is killed between
// any two of its statements.

import { booksContract } from './testing/books.ts'
import { dustContract } from './testing/dust.ts'
import { killsContract } from './testing/kills.ts'
import { paymentsContract } from './testing/payments.ts'
import { providersContract } from './testing/providers.ts'
import { refundsContract } from './testing/refunds.ts'
import { reorgsContract } from './testing/reorgs.ts'
import { type ChooseTest, type MakeWorld, type SuiteCapabilities, suiteOf } from './testing/world.ts'

export type { OrderHost, SuiteOrder } from './testing/host.ts'
export type { ChooseTest, MakeWorld, RailWorld, WorldWish } from './testing/world.ts'

/**
 * Registers the tests. What a rail cannot do follows from its capabilities.
 * @param a.killEvery 1, the default: killed before every statement in turn; n: before every n-th, where a world is slow.
 * @param a.testFor `node:test` for every promise unless given.
 */
export function railContract(
  capabilities: SuiteCapabilities,
  makeWorld: MakeWorld,
  { killEvery = 1, testFor }: { killEvery?: number; testFor?: ChooseTest } = {},
): void {
  const suite = suiteOf(capabilities, makeWorld, testFor)
  paymentsContract(suite)
  // The only thing that is known of a third party's addresses is the sum that it reports.
  if (!suite.byProvider) {
    dustContract(suite)
    reorgsContract(suite)
    refundsContract(suite)
  }
  booksContract(suite)
  providersContract(suite)
  killsContract(suite, { killEvery })
}
