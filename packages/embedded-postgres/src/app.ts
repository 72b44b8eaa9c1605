/** The program that owns the database: how it is called on disk and in the sentences its operator reads. */
export interface App {
  /** Lower-case letters and digits. Names the superuser, the lock and pid files and the folder of copied programs. */
  id: string
  /** In sentences: "Another Florin (process 12) is using the data folder …". */
  title: string
  /** How the operator chooses another data folder: "with DATA_DIR". */
  otherFolder: string
  /** What to do on a system where no packaged PostgreSQL runs. */
  instead: string
  /** What to do about a cluster that another major version made. */
  upgrade: (dataDir: string) => string
}

export const defaultApp: App = {
  id: 'embedded',
  title: 'program',
  otherFolder: 'with the option dataDir',
  instead: 'Use a PostgreSQL server of your own instead.',
  upgrade: (dataDir) =>
    `Dump it with a server of that version, move ${dataDir} away, start again and load the dump into the new one.`,
}

/** A start was refused for a reason that the operator can act on; the message is a sentence for them. */
export class EmbeddedRefused extends Error {
  override readonly name = 'EmbeddedRefused'
}
