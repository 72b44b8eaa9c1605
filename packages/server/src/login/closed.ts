// What an account answers that the operator has suspended or closed. Orders in flight are no matter of an account:
// they settle.
import { AppError } from '../platform/errors.ts'

/** @throws AppError merchant_suspended, merchant_closed */
export function requireOpen(merchant: { suspendedAt: Date | null; closedAt: Date | null }): void {
  if (merchant.closedAt !== null) throw new AppError('merchant_closed')
  if (merchant.suspendedAt !== null) throw new AppError('merchant_suspended')
}
