// Parses an address and its label from a request (contract.md 3). Pure. Nothing here echoes the input: a secret that
// was pasted into the wrong field must not come back in an answer or a log line.
import { type AccountWarning, holdsSecret } from '@florin/accounts'
import { type Chain, type ChainAddress, checkAddress, checkPayee, parseAddress, type Warning } from '@florin/chains'
import { AppError } from '@florin/platform/errors'
import { parseLine } from '@florin/platform/http/label'
import { ADDRESS_LABEL_MAX } from '@florin/protocol'
import { accountRef } from '@florin/rail-kit/account-ref'
import {
  type AccountNetworks,
  type AccountText,
  type GivenAccount,
  isAccountText,
  parseReceivingAccount,
} from './accounts/rules.ts'
import type { ReceivingPlace } from './waiting.ts'

type Said = Pick<Warning | AccountWarning, 'code' | 'message'>

/**
 * An address, or an account of a wallet where the text is meant as one.
 * @throws AppError invalid_address with the sentence that says what is wrong.
 */
export function parsePlace(
  chain: Chain,
  a: AccountText,
  networks: AccountNetworks,
): { place: ReceivingPlace; warnings: readonly Said[]; given: GivenAccount | null } {
  if (!isAccountText(chain, a)) {
    const { address, warnings } = parseReceivingAddress(chain, a.text)
    return { place: address, warnings, given: null }
  }
  const given = parseReceivingAccount(chain, a, networks)
  return { place: accountRef(given.account.identity), warnings: given.warnings, given }
}

/**
 * The canonical form, and warnings about the spelling that was sent: one without a checksum is shown with one from then
 * on, but a typo in it went unnoticed.
 * @throws AppError invalid_address with the sentence that says what is wrong.
 */
export function parseReceivingAddress(
  chain: Chain,
  text: string,
): { address: ChainAddress; warnings: readonly Warning[] } {
  const verdict = checkPayee(chain, text)
  if (!verdict.valid) throw new AppError('invalid_address', { param: 'address', message: verdict.message })
  return { address: parseAddress(chain, text), warnings: verdict.warnings }
}

/** @throws AppError validation_failed; also for what looks like a private key, which would be stored in the clear. */
export function parseLabel(chain: Chain, text: string | null): string | null {
  if (text === null) return null
  const verdict = checkAddress(chain, text.trim())
  if ((!verdict.valid && verdict.reason === 'secret_key') || holdsSecret(text)) {
    const message = 'The field "label" looks like a private key or a secret phrase. It was not stored.'
    throw new AppError('validation_failed', { param: 'label', message })
  }
  return parseLine(text, { param: 'label', max: ADDRESS_LABEL_MAX })
}
