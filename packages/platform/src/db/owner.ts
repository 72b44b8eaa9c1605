// What needs the role that owns the tables, and the sentence for the operator where it runs as another role.
import { OperatorError } from '../errors.ts'
import { isForbidden } from './failures.ts'

/** @throws OperatorError where PostgreSQL refuses it to this role. */
export async function asOwner<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const causes = [error, error instanceof Error ? error.cause : null]
    const refused = causes.find((cause) => cause instanceof Error && isForbidden(cause))
    if (!(refused instanceof Error)) throw error
    throw new OperatorError(
      `PostgreSQL refuses it to the role of this URL: ${refused.message}. Use the role that owns Florin's tables, florin_owner ` +
        'where deploy/postgres/roles.sql was run. Where another role owns them, run that file again as a superuser.',
      { docs: 'docs/operations.md#roles', cause: error },
    )
  }
}
