// Tells operators of currencies in use that have no rate. The item ends when there is one.
import type { Tx } from '@florin/platform/db/tx'
import { CURRENCIES_AS_OF, DAY_MS, MINUTE_MS } from '@florin/protocol'
import { closeOtherCauses, putAttention } from '../attention/store.ts'
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
  actions: ['dismiss'],
  evidence: {
    compared_on: CURRENCIES_AS_OF,
    what: `The table of currencies was last compared with ISO 4217 on ${CURRENCIES_AS_OF}: newer codes, ends and lost zeros are not in it`,
    cure: 'Update Florin. Until then look whether a currency that you sell in has changed.',
  },
}

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

const causeOf = ({ quote }: Check): string => `${PREFIX}${quote}`

function itemOf(check: Check) {
  const { quote, verdict, why } = check
  return {
    ...{ kind: 'fx_no_rate', cause: causeOf(check), actions: ['dismiss'] },
    evidence: {
      ...{ currency: quote, why: why ?? '' },
      what: `No exchange rate of ${quote} can be trusted: ${reasons[verdict]}${why === null ? '' : ` (${why})`}. Nothing is sold in it, all else goes on`,
      cure: 'The item ends when the sources agree again. FX_SOURCES names them, and FX_OVERRIDES sets a rate or one source for a currency: /docs/currencies.',
    },
  }
}

const reasons: Readonly<Record<Check['verdict'], string>> = {
  agreed: '',
  silent: 'too few sources answer',
  disagree: 'the sources disagree',
  off_peg: 'it is away from what it is fixed to',
}
