// Florin's own embedded PostgreSQL: whose data it is, and refusals as an operator reads them.
import { type App, type Embedded, EmbeddedRefused, startEmbedded } from '@florin/embedded-postgres'
import { OperatorError } from './platform/errors.ts'

/** The embedded PostgreSQL speaks to its operator in Florin's terms. */
const florin: App = {
  id: 'florin',
  title: 'Florin',
  otherFolder: 'with DATA_DIR',
  instead: 'Set DATABASE_URL to a PostgreSQL of your own (15 or newer) instead.',
  upgrade: (dataDir) =>
    `Take a backup with the release that made it (florin backup), move ${dataDir} away, start this release and ` +
    'restore into it (florin restore).',
}

/** @throws OperatorError when this data folder cannot be used. */
export async function openEmbedded(a: Omit<Parameters<typeof startEmbedded>[0], 'app'>): Promise<Embedded> {
  try {
    return await startEmbedded({ ...a, app: florin })
  } catch (error) {
    throw error instanceof EmbeddedRefused ? new OperatorError(error.message, { cause: error }) : error
  }
}
