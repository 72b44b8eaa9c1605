// Tells operators of currencies in use that have no rate, and of jumps that a person has to look at. It ends by itself.
import { CURRENCIES_AS_OF, DAY_MS, MINUTE_MS } from '@florin/protocol'
import { closeOtherCauses, putAttention } from '../attention/store.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type Check, listTroubles } from './gather.store.ts'

/** Sources miss a beat without anybody being called. */
const LASTING_MS = 30 * MINUTE_MS
const IN_USE_MS = 30 * DAY_MS

const PREFIX = 'fx:'

/** ISO 4217 is amended a few times a year: a table that nobody compared for so long may miss a currency, or sell an ended one. */
const TABLE_GOOD_FOR_MS = 400 * DAY_MS
const tableIsOld = {
  kind: 'fx_table_old',
  cause: `${PREFIX}table`,
  actions: [],
  evidence: {
    compared_on: CURRENCIES_AS_OF,
    what: `The table of currencies was last compared with ISO 4217 on ${CURRENCIES_AS_OF}: newer codes, ends and lost zeros are not in it`,
    cure: 'Update Florin. Until then look whether a currency that you sell in has changed.',
  },
}

/** The operator has looked: the rate that jumped counts. */
export const ACCEPT_RATE = 'accept-rate'

export async function tellOperators(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LASTING_MS)
  const troubles = await listTroubles(tx, { since: new Date(now.getTime() - IN_USE_MS), before, now })
  for (const check of troubles) {
    await putAttention(tx, { merchantId: null, livemode: true, orderNo: null }, itemOf(check), now)
  }
  const isOld = now.getTime() - Date.parse(CURRENCIES_AS_OF) > TABLE_GOOD_FOR_MS
  if (isOld) await putAttention(tx, { merchantId: null, livemode: true, orderNo: null }, tableIsOld, now)
  const causes = [...troubles.map(causeOf), ...(isOld ? [tableIsOld.cause] : [])]
  await closeOtherCauses(tx, { prefixes: [PREFIX], causes, resolution: 'it is over by itself' }, now)
}

/** Another jump is another item: a person accepts the rate that was looked at. */
const causeOf = ({ quote, market, verdict, heldRate }: Check): string =>
  `${PREFIX}${quote}:${market}:${verdict === 'held' ? heldRate : 'none'}`

function itemOf(check: Check) {
  const { quote, market, verdict, why, heldRate } = check
  const which = market === 'market' ? `${quote} (market)` : quote
  const isHeld = verdict === 'held'
  return {
    kind: isHeld ? 'fx_rate_held' : 'fx_no_rate',
    cause: causeOf(check),
    actions: isHeld ? [ACCEPT_RATE] : [],
    evidence: {
      ...{ currency: quote, market, why: why ?? '' },
      ...(heldRate === null ? {} : { rate: heldRate }),
      what: isHeld
        ? `The exchange rate of ${which} jumped: ${why}. Nothing is sold in it until somebody has looked`
        : `No exchange rate of ${which} can be trusted: ${reasons[verdict]}${why === null ? '' : ` (${why})`}. Nothing is sold in it, all else goes on`,
      cure: isHeld
        ? 'Compare it with a bank’s. Accept it if it is right; if not, look which sources are wrong, or take them out of FX_SOURCES.'
        : 'It ends by itself when the sources agree again. FX_SOURCES names them; /docs/currencies says how many voices it takes.',
    },
  }
}

const reasons: Readonly<Record<Check['verdict'], string>> = {
  agreed: '',
  held: '',
  silent: 'too few sources answer',
  disagree: 'the sources disagree',
  off_peg: 'it is away from what it is fixed to',
  stale: 'all that is known is older than a day',
}
