// How Node is started for the service that is shipped: what is measured is started the same way.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [, command = '[]'] =
  /^CMD (\[.*\])$/m.exec(readFileSync(join(import.meta.dirname, '../Dockerfile'), 'utf8')) ?? []

/** Node's own options: what stands between it and the program. */
export const nodeOptions: readonly string[] = (JSON.parse(command) as string[]).slice(1, -1)
