// Classifies database errors: failures of the connection or the server, as opposed to faults of a statement.

export type ConnectionFailure =
  | 'CONNECTION_CLOSED'
  | 'CONNECTION_REFUSED'
  | 'CONNECT_TIMEOUT'
  | 'ACQUIRE_TIMEOUT'
  | 'QUERY_TIMEOUT'

/** The database could not be reached, or did not answer. Whether the statement was executed is unknown. */
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
  ACQUIRE_TIMEOUT: 'No connection to the database was free in time: all are in use, or a new one takes too long.',
  QUERY_TIMEOUT: 'The database did not answer in time; its connection is given up.',
}

/** pg reports these as plain errors without a code. The tests that cut connections fail if one is missing here. */
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
}

/** Converts pg's errors to those that the rest of the server knows. */
export function failureOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const code = 'code' in error ? undefined : plain[error.message]
  return code === undefined ? error : new DatabaseUnavailable(code, error)
}

/** Why a connection could not be made. */
export function refusalOf(error: unknown): Error {
  const failure = failureOf(error)
  return isDatabaseDown(failure) ? failure : new DatabaseUnavailable('CONNECTION_REFUSED', failure)
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** No answer came, nor was the connection closed. */
export const isSilence = (error: unknown): boolean => codeOf(error) === 'QUERY_TIMEOUT'

/** The pool had no connection to give in time. */
export const isWaitForConnection = (error: unknown): boolean => codeOf(error) === 'ACQUIRE_TIMEOUT'

/** pgbouncer lost its server, cannot sign in there or had none in time. PostgreSQL's own errors of this code name a routine. */
const isPoolersWord = (error: unknown): boolean =>
  codeOf(error) === '08P01' && !(error instanceof Error && 'routine' in error && error.routine !== undefined)

/** The connection that reported this is unusable. */
export const isConnectionGone = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable ||
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT|EHOSTUNREACH|ENETUNREACH)/.test(codeOf(error)) ||
  // Shut down, crashed or starting; terminated while idle, or idle in a transaction.
  /^(57P0[1235]|25P03|08\d{3})$/.test(codeOf(error)) ||
  isPoolersWord(error)

/**
 * True when the failure is the database's absence or a limit on waiting, not the statement's fault: try again later.
 */
export const isDatabaseDown = (error: unknown): boolean =>
  isConnectionGone(error) ||
  isConflict(error) ||
  isWriteRefused(error) ||
  // Out of memory, connections or temporary space; an I/O error; cancelled by statement_timeout; lock_timeout.
  /^(53\d{3}|58030|57014|55P03)$/.test(codeOf(error))

/** Fields of a log line: a database that is away or busy is one sentence, and any other failure has a stack. */
export const failureFields = (error: unknown): { reason: string } | { err: unknown } =>
  isDatabaseDown(error) && error instanceof Error ? { reason: error.message } : { err: error }

/** The disk is full, or this is a standby: it answers, but refuses writes. */
export const isWriteRefused = (error: unknown): boolean => /^(53100|25006)$/.test(codeOf(error))

/** The server only reads: a standby, or a primary that was demoted. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006'

/** Our role lacks the privilege. */
export const isForbidden = (error: unknown): boolean => codeOf(error) === '42501'

/** A row refers to one that is not there. */
export const isBrokenReference = (error: unknown): boolean => codeOf(error) === '23503'

/** Somebody is connected to it. */
export const isInUse = (error: unknown): boolean => codeOf(error) === '55006'

/** The transaction was rolled back because of another one. */
export const isConflict = (error: unknown): boolean => /^(40001|40P01)$/.test(codeOf(error))

/** An earlier statement of the transaction failed, so this one was not executed. */
export const isAborted = (error: unknown): boolean => codeOf(error) === '25P02'

/** Somebody held the lock for longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

/** The statement was prepared before a migration changed its columns. It was not executed. */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && error instanceof Error && /cached plan must not change result type/.test(error.message)

/** The statement makes what is there already: a table, the type of its rows (of two who create it at once), or a row. */
export const isDuplicate = (error: unknown): boolean => /^(42P07|42710|23505)$/.test(codeOf(error))
