// Bugs of exchange rates: what would be sold at a wrong price, or at an old one.
import { type Mutant, plant } from '../plant.ts'

const prices = 'packages/server/src/prices'
const decideTests = [`${prices}/agree/decide.test.ts`]

export const currencyMutants: readonly Mutant[] = [
  ...plant({ file: `${prices}/agree/decide.ts`, tests: decideTests }, [
    {
      name: 'currencies: two names of one bank are two voices',
      find: 'other.group !== voice.group && operatorOf(other) !== operatorOf(voice)',
      put: 'other.source !== voice.source',
      breaks: 'One bank’s typo, passed on by somebody, prices alone.',
    },
    {
      name: 'currencies: two against two is a rate',
      find: 'chosen.length < 2 || chosen.length * 2 <= voices.length',
      put: 'chosen.length < 2',
      breaks: 'Whoever is looked at first is right.',
    },
    {
      name: 'currencies: age is the fetch’s',
      find: 'const at = one.observedAt < one.fetchedAt ? one.observedAt : one.fetchedAt',
      put: 'const at = one.fetchedAt',
      breaks: 'A rate of last week is sold at for as long as somebody repeats it.',
      unseen: true,
    },
    {
      name: 'currencies: old fixings price alone',
      find: 'const isStale = live.length === 0 && oldest + ALONE_MS <= now.getTime()',
      put: 'const isStale = false',
      breaks: 'Friday’s rate sells all weekend, to merchants who never took it.',
    },
    {
      name: 'currencies: a jump passes',
      find: 'if (bps <= jumpBps(currency, days) && !isPowerOfTen(rate, last.rate)) return null',
      put: 'return null',
      breaks: 'A country takes zeros off its money, and goods are sold for a hundredth.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${prices}/agree/arithmetic.ts`, tests: [`${prices}/agree/arithmetic.test.ts`] }, [
    {
      name: 'currencies: dollars of an amount round down',
      find: 'return divCeil(minor * 10n ** BigInt(6 + scale), 10n ** BigInt(exponent) * digits)',
      put: 'return (minor * 10n ** BigInt(6 + scale)) / (10n ** BigInt(exponent) * digits)',
      breaks: 'Every order in another currency is a fraction against the merchant.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${prices}/store.ts`, tests: [`${prices}/rate.test.ts`] }, [
    {
      name: 'currencies: a rate has no bound',
      find: 'and market = ${a.market} and valid_until > ${a.now}',
      put: 'and market = ${a.market}',
      breaks: 'When the sources die, the last rate sells for ever.',
    },
  ]),
  ...plant({ file: `${prices}/gather.store.ts`, tests: [`${prices}/gather.test.ts`] }, [
    {
      name: 'currencies: what sources contradict is sold until its bound',
      find: "verdict.kind === 'disagree' || verdict.kind === 'off_peg' || verdict.kind === 'held' ? [{ quote, market }] : []",
      put: "verdict.kind === 'held' && verdict.why === '' ? [{ quote, market }] : []",
      breaks: 'A rate that is known to be wrong sells for minutes, or for a day.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${prices}/sources/markets.ts`, tests: [`${prices}/sources/adapters.test.ts`] }, [
    {
      name: 'currencies: the base of an answer is not looked at',
      find: "if (data.currency !== 'USD') return refuse('its base is not the dollar')",
      put: '',
      breaks: 'Rates of another base are taken for rates of the dollar.',
      unseen: true,
    },
  ]),
  ...plant(
    {
      file: 'packages/server/src/reports/stats/display.ts',
      tests: ['packages/server/src/reports/stats/display.test.ts'],
    },
    [
      {
        name: 'currencies: what was said in the display currency is converted as well',
        find: 'return exact + minorOf(rest, exponent, rate)',
        put: 'return minorOf(micros, exponent, rate)',
        breaks: 'A shop reads other sums than it sold for.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: 'packages/server/src/attention/acts.ts', tests: [`${prices}/gather.test.ts`] }, [
    {
      name: 'currencies: an old session accepts a rate',
      find: 'action === REFUND_TO || action === APPROVE || action === ACCEPT_RATE',
      put: 'action === REFUND_TO || action === APPROVE',
      breaks: 'A stolen operator’s session lets a wrong rate pass.',
      unseen: true,
    },
  ]),
]
