// Why a text is no account. Reasons are stable words; sentences may change. No sentence repeats the text. Pure.

export type AccountReason =
  /** Keys or words that can spend. */
  | 'private_key'
  | 'seed'
  /** Several keys that sign together. */
  | 'multisig'
  /** A descriptor, or a file, of a kind that is not taken. */
  | 'unsupported'
  | 'bad_checksum'
  | 'bad_key'
  | 'bad_descriptor'
  | 'wrong_network'
  /** The key stands above or below the account. */
  | 'wrong_level'
  /** Prefix, path, script or stated address say different things. */
  | 'contradiction'
  | 'change_path'
  | 'hardened'
  /** One address instead of many. */
  | 'single_address'
  | 'script_needed'
  | 'address_needed'
  | 'address_not_found'
  | 'too_long'
  | 'not_an_account'

/** Thrown inside the package only; `parseAccount` turns it into its answer. */
export class Refused extends Error {
  readonly reason: AccountReason

  constructor(reason: AccountReason, message: string) {
    super(message)
    this.name = 'Refused'
    this.reason = reason
  }
}
