// What lies on a vault and what moves it, for a person.
import { type Call, type Exit, type Hex, type Provider, type Sight, shown, tokenWords, ZERO } from '@florin/exit'
import { formatUnits } from '../sdk.ts'
import { columns, type Paint } from '../terminal.ts'

/** Amounts in whole coins where the token says how; asked once a token. */
export function coinWords(provider: Provider): (token: Hex, units: bigint) => Promise<string> {
  const known = new Map<Hex, ReturnType<typeof tokenWords>>()
  return async (token, units) => {
    if (token === ZERO) return `${formatUnits(units.toString(), 18)} (native coin)`
    const asked = known.get(token) ?? tokenWords(provider, token)
    known.set(token, asked)
    const words = await asked
    if (words === null) return `${units} units of ${shown(token)}`
    return `${formatUnits(units.toString(), words.decimals)} ${words.symbol}`
  }
}

export const moment = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

export async function sightLines(
  exit: Exit,
  sight: Sight,
  a: { paint: Paint; coins: ReturnType<typeof coinWords> },
): Promise<string[]> {
  const { route } = exit
  const { block, holdings, calls, fault } = sight
  const rows = [
    ['address', `${shown(exit.vault)} on chain ${exit.chainId}`],
    ['merchant', shown(route.merchant)],
    ['fee', `at most ${route.feeBps / 100} % to ${shown(route.collector)}`],
    ['refund', route.refundTo === ZERO ? 'no refund address is bound' : shown(route.refundTo)],
    ['least', await a.coins(route.token, route.minAmount)],
    ['opens', moment(route.openAfter)],
    ['factory', fault === null ? `${shown(exit.factory)}, code verified` : a.paint.red(fault)],
    ['looked at', `block ${block.number} of chain ${sight.chainId}, ${moment(block.time)}`],
  ]
  for (const { token, units } of holdings) rows.push(['lies there', await a.coins(token, units)])
  const lines = columns(rows)
  if (fault !== null) return lines
  if (calls.length === 0) {
    const why = holdings.some(({ units }) => units > 0n)
      ? 'No call moves it on this chain: money on a wrong chain needs a bound refund address.'
      : 'Nothing lies there, so there is nothing to move.'
    return [...lines, '', why]
  }
  lines.push('', a.paint.bold('what moves it'))
  const told = await Promise.all(
    calls.map(async (call) => [when(call, block.time), ...(await callWords(call, a.coins))]),
  )
  return [...lines, ...columns(told).map((line) => `  ${line}`)]
}

const isOpen = (call: Call, time: number): boolean => time >= call.opensAt

const when = (call: Call, time: number): string =>
  `${isOpen(call, time) ? 'now' : `from ${moment(call.opensAt)}`}${call.closesAt === null ? '' : ` to ${moment(call.closesAt)}`}`

export async function callWords(call: Call, coins: ReturnType<typeof coinWords>): Promise<string[]> {
  const fee = call.fee === 0n ? '' : `, of it ${await coins(call.token, call.fee)} fee`
  const payer = call.name === 'executeRefund' ? 'the announced address' : 'the refund address'
  const to = call.receiver === 'merchant' ? 'the merchant' : payer
  const otherwise = call.otherwise === null ? '' : `; where that fails twice, a week apart, to ${shown(call.otherwise)}`
  const by = call.by === 'anybody' ? 'anybody' : `a ${call.by} key`
  return [
    call.name,
    `${await coins(call.token, call.units)} to ${to} ${shown(call.to)}${fee}${otherwise}`,
    `sent by ${by}${call.isByName ? ', with --call executeRefund only: it covers what the merchant asked for' : ''}`,
  ]
}

/** What a wallet or another program sends; it never carries coins. */
export const unsigned = (exit: Exit, chainId: number, call: Call) => ({
  ...{ chainId, to: shown(exit.factory), value: '0x0', data: call.data },
})
