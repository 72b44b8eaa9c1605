// The rail as orders use it: an address for each leg, requests that are written down, and balances for the books.
import { sandboxAddress } from '@florin/chains'
import { AppError } from '@florin/platform/errors'
import { feeUnits, unitsDue } from '@florin/platform/money'
import { sha256 } from '@florin/platform/secrets'
import { listOrdersWithFacts } from '@florin/rail-kit/report.store'
import { ask, COST, KIND, readEvents } from './job.js'
import { findCursor, insertLeg, insertMoves, listLegs } from './store.js'

const SILENT_AFTER_MS = 60_000

/**
 * @param {string} url
 * @param {import('@florin/rail-kit/interface/plug').RailParts} parts
 * @returns {import('@florin/rail-kit/interface/rail').Rail}
 */
export function makeRail(url, parts) {
  const { sql, clock } = parts
  return {
    capabilities: {
      kind: KIND,
      isSandbox: false,
      isLive: false,
      custody: 'none',
      crossChain: false,
      refundAddress: 'optional',
      // The toy chain has one operator, so there are no providers that could contradict each other.
      isOnChain: false,
    },
    // Test dollars on Base, as they are: nothing is exchanged.
    carries: ({ livemode, pay, settle }) =>
      !livemode && [pay, settle].every(({ chain, asset }) => chain === 'base' && asset === 'USDC'),

    async open(request) {
      const { legRef, pay, amountUsdMicros, feeBps } = request
      const amountDue = unitsDue({
        usdMicros: amountUsdMicros,
        priceMicros: 1_000_000n,
        decimals: pay.decimals,
        spreadBps: 0,
      })
      const amountOut = amountDue - feeUnits(amountDue, feeBps)
      if (amountOut <= 2n * COST) throw new AppError('amount_too_small')
      // Derived from the reference: the same leg has the same address, however often it is opened.
      const address = sandboxAddress(pay.chain, sha256(`toy ${legRef}`))
      await insertLeg(sql, { ...request, address })
      return {
        address,
        memo: null,
        uri: `toy:${address}?amount=${amountDue}`,
        amountDue,
        amountOut,
        dust: 2n * COST,
        isStable: true,
        rate: { price: '1', source: 'toy', expiresAt: request.expiresAt },
        confirmationsRequired: 1,
        proof: null,
      }
    },

    // Requests are only written down here. The job sends them, so a process that dies loses none.
    settle: (requests) =>
      insertMoves(
        sql,
        requests.map(({ settlementId, legRef, merchantAddress, settle, gross, feeBps }) => {
          const fee = feeUnits(gross, feeBps)
          return {
            id: settlementId,
            kind: 'settle',
            legRef,
            recipient: merchantAddress,
            asset: settle,
            amount: gross,
            fee,
          }
        }),
      ),
    refund: (requests) =>
      insertMoves(
        sql,
        requests.map(({ refundId, legRef, to, asset, amount }) => {
          return { id: refundId, kind: 'refund', legRef, recipient: to, asset, amount, fee: 0n }
        }),
      ),

    // Throws where the chain does not answer, and the order waits.
    async recheck() {
      await readEvents(url, parts)
    },

    async holdings(questions) {
      const legs = await listLegs(
        sql,
        questions.map(({ legRef }) => legRef),
      )
      const busy = await listOrdersWithFacts(sql, [...new Set(legs.map(({ orderRef }) => orderRef))])
      const found = []
      for (const { ref, address, orderRef } of legs) {
        const { balances, isFinal } = await ask(url, 'GET', `/addresses/${address}`)
        // Transfers that are not final, or not reported to the order yet, cannot be compared with the books.
        if (busy.has(orderRef) || !isFinal) continue
        const asked = questions.find(({ legRef }) => legRef === ref)?.assets ?? []
        for (const asset of asked) {
          const same = balances.find((one) => one.chain === asset.chain && one.contract === asset.contract)
          found.push({ legRef: ref, asset, amount: BigInt(same?.amount ?? 0), height: null })
        }
      }
      return found
    },

    // Read from what the job wrote down: the process that is asked may not be the one that follows the chain.
    async checks(question) {
      // The question is about real money, which a toy chain never takes.
      if (question !== undefined) return []
      const { readAt } = await findCursor(sql)
      const isSilent = readAt === null || clock.now().getTime() - readAt.getTime() > SILENT_AFTER_MS
      return [
        {
          ...{ id: 'chain', subject: 'toy', chain: 'base', livemode: false },
          status: isSilent ? 'fault' : 'ok',
          summary: isSilent ? 'The toy chain was not read for a minute.' : 'The toy chain is read.',
          remedy: isSilent ? 'Start the toy chain.' : null,
          since: isSilent ? (readAt ?? clock.now()) : null,
          holdsUp: isSilent ? ['payments', 'settlements', 'refunds'] : [],
        },
      ]
    },
  }
}
