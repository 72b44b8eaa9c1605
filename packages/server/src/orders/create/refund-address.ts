// The door that every refund address passes: valid on its chain, and none that orders are paid at. Money that was sent
// there would be one order's payment and another's refund.
import { checkPayee } from '@florin/chains'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import type { Rails } from '@florin/rail-kit/registry'
import { isPayAddress } from './create.store.ts'

export interface RefundAddressQuestion {
  chain: string
  livemode: boolean
  text: string
  /** The field that it came in. */
  param: string
}

/** @returns its chain's canonical form. @throws AppError invalid_address */
export async function takeRefundAddress(
  { sql, rails }: { sql: Sql; rails: Rails },
  { param, ...a }: RefundAddressQuestion,
): Promise<string> {
  const read = await rails.readAddress(a)
  const verdict = checkPayee(a.chain, read.find(({ address }) => address !== null)?.address ?? a.text)
  if (!verdict.valid) throw new AppError('invalid_address', { param, message: verdict.message })
  if (read.some(({ isPayAddress }) => isPayAddress) || (await isPayAddress(sql, verdict.canonical))) {
    throw new AppError('invalid_address', {
      param,
      message: 'Orders are paid at this address, so no refund can go there. Name an address of your own wallet.',
    })
  }
  const known = await rails.readAddress({ ...a, text: verdict.canonical })
  if (known.some(({ isNobodysWallet }) => isNobodysWallet)) {
    throw new AppError('invalid_address', {
      param,
      message:
        'This is the contract of a token or of a service, where coins are lost. Name an address of your own wallet.',
    })
  }
  return verdict.canonical
}
