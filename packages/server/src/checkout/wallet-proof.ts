// Refunds by signature: the wallet that paid says where its money goes (docs/decisions/0020-refund-address.md).
import type { OrderState } from '@florin/order-model/state'
import { AppError } from '@florin/platform/errors'
import { REFUND_SIGNATURE_MAX_MS, refundMessage } from '@florin/protocol'
import { type Static, Type } from 'typebox'
import type { OrderDeps } from '../orders/advance.ts'
import { takeRefundAddress } from '../orders/create/refund-address.ts'
import { takeSignedAddress } from '../orders/payer.ts'

/** A contract's signature can be long: several owners, a passkey. */
const SIGNATURE_MAX = 8_192

export const WalletProofBody = Type.Object(
  {
    pay_leg: Type.String({ maxLength: 80 }),
    from: Type.String({ maxLength: 128, description: 'The wallet that paid, as `refund_signers` names it.' }),
    expires_at: Type.String({ maxLength: 40, description: 'ISO 8601 in UTC, at most 24 hours ahead.' }),
    signature: Type.String({ pattern: '^0x([0-9a-fA-F]{2})+$', maxLength: 2 + 2 * SIGNATURE_MAX }),
  },
  { additionalProperties: false },
)

/** How signatures end that ERC-6492 wraps: to check one, the wallet would have to be deployed first. */
const NOT_DEPLOYED = '6492'.repeat(16)

/** @throws AppError invalid_wallet_signature, invalid_address, refund_address_taken */
export async function takeWalletProof(
  deps: OrderDeps,
  order: OrderState,
  a: { address: string } & Static<typeof WalletProofBody>,
): Promise<OrderState> {
  if (a.signature.toLowerCase().endsWith(NOT_DEPLOYED)) {
    const message =
      'The signature is of a contract wallet that is not deployed (ERC-6492). Deploy the wallet on the chain of the refund and sign again, or ask the merchant to approve the address.'
    throw new AppError('invalid_wallet_signature', { param: 'signature', message })
  }
  const row = order.refunds.find((one) => one.status === 'waiting' && one.legId === a.pay_leg)
  const leg = order.legs.find((one) => one.id === a.pay_leg)
  if (row === undefined || leg === undefined) {
    throw new AppError('refund_address_taken', { message: 'Nothing of this payment waits for an address.' })
  }
  const address = await takeRefundAddress(deps, {
    ...{ chain: row.chain, livemode: order.livemode, text: a.address, param: 'address' },
  })
  const expiresAt = Date.parse(a.expires_at)
  const now = deps.clock.now().getTime()
  const isTimely = expiresAt > now && expiresAt <= now + REFUND_SIGNATURE_MAX_MS
  if (!isTimely || new Date(expiresAt).toISOString() !== a.expires_at) {
    throw new AppError('invalid_wallet_signature', { param: 'expires_at' })
  }
  const text = refundMessage({
    service: new URL(deps.config.baseUrl).origin,
    ...{ orderNo: order.orderNo, legId: leg.id, chain: row.chain, address: a.address, expiresAt: a.expires_at },
  })
  const { isSignedBy } = deps.rails.servicesOf(leg.rail)
  const question = { chain: row.chain, account: a.from, text, signature: a.signature }
  const isSigned = await isSignedBy?.(question).catch((error: unknown) => {
    throw error instanceof AppError ? error : new AppError('rail_unavailable', { cause: error, retryAfterS: 5 })
  })
  if (isSigned !== true) throw new AppError('invalid_wallet_signature', { param: 'signature' })
  return takeSignedAddress(deps, order, { legId: leg.id, from: a.from, address })
}
