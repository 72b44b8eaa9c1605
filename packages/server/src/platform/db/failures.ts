// What went wrong between us and the database, told apart from what is wrong with a statement.

export type ConnectionFailure =
  | 'CONNECTION_CLOSED'
  | 'CONNECTION_REFUSED'
  | 'CONNECT_TIMEOUT'
  | 'ACQUIRE_TIMEOUT'
  | 'QUERY_TIMEOUT'

/** The database could not be asked, or did not answer. Whether the statement was carried out is not known. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  readonly code: ConnectionFailure

  constructor(code: ConnectionFailure, cause?: unknown) {
    super(sentences[code], cause === undefined ? {} : { cause })
    this.code = code
  }
}

const sentences: Readonly<Record<ConnectionFailure, string>> = {
  CONNECTION_CLOSED: 'The connection to the database was lost.',
  CONNECTION_REFUSED: 'The database refused the connection.',
  CONNECT_TIMEOUT: 'The database did not take a connection in time.',
  ACQUIRE_TIMEOUT: 'Every connection to the database was in use for too long.',
  QUERY_TIMEOUT: 'The database did not answer in time; its connection is given up.',
}

/** pg says these as plain errors without a code. The tests that cut connections fail on one that is missing here. */
const plain: Readonly<Record<string, ConnectionFailure>> = {
  'Connection terminated': 'CONNECTION_CLOSED',
  'Connection terminated unexpectedly': 'CONNECTION_CLOSED',
  'Client has encountered a connection error and is not queryable': 'CONNECTION_CLOSED',
  'Client was closed and is not queryable': 'CONNECTION_CLOSED',
  'Cannot use a pool after calling end on the pool': 'CONNECTION_CLOSED',
  'There was an error establishing an SSL connection': 'CONNECTION_CLOSED',
  'timeout expired': 'CONNECT_TIMEOUT',
  'Connection terminated due to connection timeout': 'CONNECT_TIMEOUT',
  'timeout exceeded when trying to connect': 'ACQUIRE_TIMEOUT',
  'Query read timeout': 'QUERY_TIMEOUT',
}

/** An error of pg as the rest of the server knows it. */
export function failureOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const code = 'code' in error ? undefined : plain[error.message]
  return code === undefined ? error : new DatabaseUnavailable(code, error)
}

/** What kept a connection from being made. */
export function refusalOf(error: unknown): Error {
  const failure = failureOf(error)
  return isDatabaseDown(failure) ? failure : new DatabaseUnavailable('CONNECTION_REFUSED', failure)
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Nothing was answered, nor was the connection closed. */
export const isSilence = (error: unknown): boolean => codeOf(error) === 'QUERY_TIMEOUT'

/** The connection that said this is of no use any more. */
export const isConnectionGone = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable ||
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT|EHOSTUNREACH|ENETUNREACH)/.test(codeOf(error)) ||
  // Shut down, crashed or starting; given up while it stood idle, or idle inside a transaction.
  /^(57P0[1235]|25P03|08\d{3})$/.test(codeOf(error))

/** True when the failure is the database's absence or a limit on waiting, not the statement's fault: try again later. */
export const isDatabaseDown = (error: unknown): boolean =>
  isConnectionGone(error) ||
  isConflict(error) ||
  isWriteRefused(error) ||
  // Memory, connections or temporary room used up; a device that fails; cut off by statement_timeout; lock_timeout.
  /^(53\d{3}|58030|57014|55P03)$/.test(codeOf(error))

/** No room on the disk, or a standby: it answers, and keeps nothing. */
export const isWriteRefused = (error: unknown): boolean => /^(53100|25006)$/.test(codeOf(error))

/** The database's owner does not let us do this. */
export const isForbidden = (error: unknown): boolean => codeOf(error) === '42501'

/** The transaction was undone because of another one. */
export const isConflict = (error: unknown): boolean => /^(40001|40P01)$/.test(codeOf(error))

/** The statement was prepared before a migration changed its columns. Nothing was carried out. */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && error instanceof Error && /cached plan must not change result type/.test(error.message)
