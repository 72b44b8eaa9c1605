// Master keys for tests. The service refuses keys that look made up, so each is a hash.
import { createHash } from 'node:crypto'

export const masterKeyOf = (name: string): string => createHash('sha256').update(`test ${name}`).digest('hex')

/** The one of `harness.ts`, and of processes beside it. */
export const MASTER_KEY = masterKeyOf('install')
