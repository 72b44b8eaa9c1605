// Bugs in which rail carries a payment: through whose hands it goes, and what is offered while a rail is in trouble.
import { plant } from '../plant.ts'

const create = 'packages/server/src/orders/create'
const pure = [`${create}/choose-route.test.ts`]
const whole = ['packages/server/src/checkout/choices/route-choice.test.ts']

export const routeMutants = [
  ...plant({ file: `${create}/choose-route.ts`, tests: pure }, [
    {
      name: 'routes: a third party carries without the merchant’s word',
      find: "=> custody === 'none' || isAllowed\n",
      put: "=> custody === 'none' || isAllowed || true\n",
      breaks: 'Somebody else holds the money of a merchant who never agreed to it.',
    },
    {
      name: 'routes: what could go as it is is swapped where that seems cheaper',
      find: 'Number(goesAsItIs(b)) - Number(goesAsItIs(a)) ||\n    comparePrices(a, b) ||',
      put: 'comparePrices(a, b) ||\n    Number(goesAsItIs(b)) - Number(goesAsItIs(a)) ||',
      breaks: 'Money that needs nobody passes through a third party.',
      unseen: true,
    },
    {
      name: 'routes: payers are sent where payments are not seen',
      find: "best.filter(({ state }) => state !== 'down')",
      put: "best.filter(({ state }) => state !== 'slow')",
      breaks: 'A payer pays and nobody notices for hours.',
      unseen: true,
    },
    {
      name: 'routes: the dearest carries',
      find: 'return a < b ? -1 : Number(a > b)',
      put: 'return a > b ? -1 : Number(a < b)',
      breaks: 'Payers pay more than they have to.',
    },
  ]),
  ...plant({ file: 'packages/server/src/orders/payer.ts', tests: whole }, [
    {
      name: 'routes: a way that turned into a third party’s is opened unseen',
      find: '  requireShown(route, pay, wish)\n',
      put: '',
      breaks: 'A payer who chose a way without a third party pays through one.',
      unseen: true,
    },
    {
      name: 'routes: a failed opening goes on through a third party',
      find: "if (next.rail.capabilities.custody !== 'none' && custody === 'none') throw error",
      put: '',
      breaks: 'The payer named a refund address and is shown an address of somebody else’s.',
    },
    {
      name: 'routes: only the process that met it knows that a rail fails',
      find: 'await saveOpeningTrouble(deps.sql, trouble, now)',
      put: 'await Promise.resolve(trouble)',
      breaks: 'Payers choose in vain, again and again.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/rail-kit/src/condition.store.ts', tests: whole }, [
    {
      name: 'routes: what was out once stays out',
      find: 'where until > ${now} order by',
      put: 'where since <= ${now} order by',
      breaks: 'A way never comes back when the process that told of it is gone.',
      unseen: true,
    },
  ]),
]
