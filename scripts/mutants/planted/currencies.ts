// Bugs of exchange rates: what would be sold at a wrong price, or at an old one.
import { type Mutant, plant } from '../plant.ts'

const prices = 'packages/server/src/prices'
const decideTests = [`${prices}/agree/decide.test.ts`]

export const currencyMutants: readonly Mutant[] = [
  ...plant({ file: `${prices}/agree/decide.ts`, tests: decideTests }, [
    {
      name: 'currencies: one source is enough for a rate',
      find: 'export const SOURCES_LEAST = 2',
      put: 'export const SOURCES_LEAST = 1',
      breaks: 'A typo of one source sells goods for a hundredth.',
    },
    {
      name: 'currencies: two against two is a rate',
      find: 'near.length * 2 <= voices.length',
      put: 'near.length * 2 < voices.length',
      breaks: 'Half of the sources lie, and one of their rates is sold at.',
    },
    {
      name: 'currencies: age is the fetch’s',
      find: 'const at = one.observedAt < one.fetchedAt ? one.observedAt : one.fetchedAt',
      put: 'const at = one.fetchedAt',
      breaks: 'A rate of last week is sold at for as long as somebody repeats it.',
      unseen: true,
    },
    {
      name: 'currencies: a peg that was left is sold at',
      find: 'return bps <= TOLERANCE_BPS ? null :',
      put: 'return bps < Number.POSITIVE_INFINITY ? null :',
      breaks: 'Sources that follow one mistake sell a currency far from its law.',
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
      find: 'where quote = ${a.quote} and valid_until > ${a.now}',
      put: 'where quote = ${a.quote}',
      breaks: 'When the sources die, the last rate sells for ever.',
    },
  ]),
  ...plant({ file: `${prices}/gather.store.ts`, tests: [`${prices}/gather.test.ts`] }, [
    {
      name: 'currencies: what sources contradict is sold until its bound',
      find: "kind === 'disagree' || kind === 'off_peg' ? [quote] : []",
      put: "kind === 'disagree' && kind !== 'disagree' ? [quote] : []",
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
]
