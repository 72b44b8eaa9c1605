// Bugs in whose address a quote may name: whom a lying provider could take an address from, and who could turn the rail off.
import { plant } from '../../plant.ts'

const rail = 'packages/rail-intents/src'
const owned = [`${rail}/address/owned.test.ts`]

export const intentsOwnerMutants = [
  ...plant({ file: `${rail}/address/owned.ts`, tests: owned }, [
    {
      name: 'intents: a merchant’s own address is shown as one to pay at',
      find: "if (owner === null || (owner === 'payer' && memo !== null)) return",
      put: "if (owner !== 'payer' || memo !== null) return",
      breaks: 'The merchant cannot use the own address any more.',
    },
    {
      name: 'intents: a stranger who names the provider’s address first turns the rail off',
      find: 'if (quote.memo === null) return distrusted(',
      put: "if (quote.place !== '') return distrusted(",
      breaks: 'Nobody can pay a shop in any coin, for as long as a stranger likes.',
    },
    {
      name: 'intents: who names the provider’s address as his own has its coin refused to others',
      find: "if (memo !== null && isIt(request.refundAddress)) throw new AppError('invalid_address', notYours)",
      put: '',
      breaks: 'Nobody can pay a shop in that coin, for as long as a stranger likes.',
    },
  ]),
  ...plant({ file: 'packages/server/src/orders/create/owner-of.ts', tests: owned }, [
    {
      name: 'intents: another payer’s address is shown as one to pay at',
      find: "return (await isPayers(sql, address)) ? 'payer' : null",
      put: "return (await isPayers(sql, '')) ? 'payer' : null",
      breaks: 'Money that goes back to one payer is there as the payment of another.',
    },
    {
      name: 'intents: a key of the service is shown as an address to pay at',
      find: "if (rails.some((rail) => rail.isOwn?.({ chain, address }))) return 'service'",
      put: "if (rails.some((rail) => rail.isOwn?.({ chain, address: '' }))) return 'service'",
      breaks: 'A payer’s money goes to the operator’s gas.',
    },
    {
      name: 'intents: an address of a merchant’s wallet is shown as one of another’s order',
      find: 'if (read.some((one) => one?.isPayAddress)) return',
      put: 'if (read.some((one) => one?.isPayAddress === undefined)) return',
      breaks: 'One payment is booked for two orders.',
    },
  ]),
  ...plant({ file: `${rail}/address/legs.store.ts`, tests: owned }, [
    {
      name: 'intents: another memo makes another address of it',
      find: 'memo is null or ${opened.memo}::text is null or memo =',
      put: "coalesce(memo, '') = coalesce(${opened.memo}::text, '') or memo =",
      breaks: 'One payment is booked for two orders.',
    },
  ]),
  ...plant({ file: `${rail}/client/echo.ts`, tests: owned }, [
    {
      name: 'intents: payers are told a memo that nobody can send',
      find: 'if (memo !== null && hasNoMemos(a.payChain))',
      put: "if (memo === '' && hasNoMemos(a.payChain))",
      breaks: 'The provider does not see what is paid, and keeps it.',
    },
  ]),
]
