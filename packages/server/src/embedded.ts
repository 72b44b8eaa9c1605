// Florin's own embedded PostgreSQL: whose data it is, and refusals as an operator reads them.
import { type App, type Embedded, EmbeddedRefused, findRunning, startEmbedded } from '@florin/embedded-postgres'
import { OperatorError } from './platform/errors.ts'

/** The embedded PostgreSQL speaks to its operator in Florin's terms. */
const florin: App = {
  id: 'florin',
  title: 'Florin',
  otherFolder: 'with DATA_DIR',
  instead: 'Set DATABASE_URL to a PostgreSQL of your own (15 or newer) instead.',
  upgrade: (dataDir) =>
    `Take a backup with the release that made it (npm run backup), move ${dataDir} away and restore into it with this ` +
    'release (npm run backup -- restore FILE).',
}

/** @throws OperatorError when this data folder cannot be used. */
export async function openEmbedded(a: Omit<Parameters<typeof startEmbedded>[0], 'app'>): Promise<Embedded> {
  try {
    return await startEmbedded({ ...a, app: florin })
  } catch (error) {
    throw error instanceof EmbeddedRefused ? new OperatorError(error.message, { cause: error }) : error
  }
}

/** The URL of the embedded PostgreSQL of a Florin that runs; null: none does. */
export const findRunningEmbedded = (dataDir: string): Promise<string | null> => findRunning({ dataDir, app: florin })
