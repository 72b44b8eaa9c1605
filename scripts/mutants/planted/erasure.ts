// Bugs in erasing payers, and in the turns of facts that wait.
import { type Mutant, plant } from '../plant.ts'

export const erasureMutants: readonly Mutant[] = [
  ...plant(
    { file: 'packages/server/src/orders/inbox/turns.ts', tests: ['packages/server/src/orders/inbox/turns.test.ts'] },
    [
      {
        name: 'inbox: a merchant with nothing due counts as the last',
        find: 'look.merchants.length < A_ROUND.merchants',
        put: 'new Set(look.found.map((one) => one.merchantNo)).size < A_ROUND.merchants',
        breaks: 'Payments to a merchant wait while fifty merchants before it have facts that are postponed.',
        only: 'sixty merchants',
      },
    ],
  ),
  ...plant(
    { file: 'packages/server/src/orders/erase.store.ts', tests: ['packages/server/src/reports/erase/erase.test.ts'] },
    [
      {
        name: 'erasure: frozen bodies keep the payer',
        find: 'if (/^payer_(email|name|note)$/.test(key)) return null',
        put: '',
        breaks: 'Events that are read or sent again name a payer who was erased.',
      },
      {
        name: 'erasure: searches keep what was erased',
        find: 'and l.key = said',
        put: "and l.key = said and l.key = ''",
        breaks: 'Who searches for a payer’s name still finds the order.',
      },
    ],
  ),
]
