// Moves closed orders to files while the service runs: a file is written, synced and read back, then its orders are moved
// out in small commits. Killed anywhere, the next run goes on: a finished file is taken up again, a half one is dropped.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import { readInstallation } from '../../platform/db/installation.ts'
import { claimLease, holdLease, type Lease, releaseLease } from '../../platform/db/lease.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { withTx } from '../../platform/db/tx.ts'
import { OperatorError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { unpack } from '../../platform/packed/packed.ts'
import { claimFolder, dropParts, linesOf, type Manifest, removeFile, writeFileOf } from './file.ts'
import { type Line, lineOf } from './line.ts'
import * as store from './store.ts'

export type ArchiveDeps = { sql: Sql; clock: Clock }

const LEASE_MS = 120_000
/** Rendered by one statement, moved out in one commit: some 100 ms each. */
const AT_ONCE = 200
const ORDERS_A_FILE = 10_000

export interface Archived {
  files: Manifest[]
  orders: number
}

export interface Run {
  dir: string
  /** Orders that closed before this go. */
  before: Date
  /** Of the time that it works, so that payers do not feel it: 1 is without a pause. */
  share?: number
  ordersAFile?: number
  /** New files at most. */
  files?: number
  /** Ends it between two steps; the next run goes on. */
  signal?: AbortSignal
  say?: (line: string) => void
}

export async function archiveOrders(deps: ArchiveDeps, a: Run): Promise<Archived> {
  return underLease(deps, async (lease) => {
    await requireUpgraded(deps)
    await dropHalf(deps, a.dir)
    const pace = paceOf(a)
    const done: Archived = { files: [], orders: 0 }
    const take = async (file: store.ArchiveFile): Promise<void> => {
      const taken = await takeFile(deps, lease, { ...a, file, pace })
      done.orders += taken
      a.say?.(`${file.name}: ${taken} orders moved.`)
    }
    for (const file of await store.listTaking(deps.sql)) await take(file)
    const schema = await store.newestMigration(deps.sql)
    let after = ''
    while (done.files.length < (a.files ?? Number.POSITIVE_INFINITY)) {
      const now = deps.clock.now()
      const id = newId('arc', now)
      const name = `orders-${now.toISOString().slice(0, 10).replaceAll('-', '')}-${id.slice(4)}.ndjson.gz`
      const lines = rendered(deps, { after, before: a.before, limit: a.ordersAFile ?? ORDERS_A_FILE, pace })
      const manifest = await writeFileOf(a.dir, { name, schema, madeAt: now, lines })
      if (manifest === null) return done
      after = manifest.last
      const file = { id, name, sha256: manifest.sha256 }
      await withTx(deps.sql, async (tx) => {
        await holdLease(tx, lease, { now: deps.clock.now(), leaseMs: LEASE_MS })
        await store.insertFile(tx, file, now)
      })
      done.files.push(manifest)
      await take(file)
    }
    return done
  })
}

/** @throws OperatorError while processes of the release before may run: they cannot read what is packed. */
async function requireUpgraded({ sql, clock }: ArchiveDeps): Promise<void> {
  const until = await store.findUpgradeEnd(sql, clock.now())
  if (until === null) return
  throw new ArchiveBusy(
    `This database was upgraded: until ${until.toISOString()} processes may run that cannot read archived orders. Run this again then.`,
    until,
  )
}

/** What a killed run left: half a file, or the manifest of one that never got its name, and which the database does not know. */
export async function dropHalf({ sql, clock }: ArchiveDeps, dir: string): Promise<void> {
  await claimFolder(dir, await readInstallation(sql, clock.now()))
  for (const name of await dropParts(dir)) {
    if ((await store.findFileByName(sql, name)).length === 0) await removeFile(dir, name)
  }
}

/** Another process works on it, or one of the release before may run. */
export class ArchiveBusy extends OperatorError {
  /** null: it is a matter of minutes. */
  readonly until: Date | null
  constructor(message: string, until: Date | null) {
    super(message)
    this.until = until
  }
}

/** One at a time: two would write the same orders twice, and one of them in vain. */
export async function underLease<T>(deps: ArchiveDeps, work: (lease: Lease) => Promise<T>): Promise<T> {
  const now = deps.clock.now()
  const lease = await claimLease(deps.sql, { name: 'archive', holder: newId('arc', now), now, leaseMs: LEASE_MS })
  if (lease === null) {
    throw new ArchiveBusy(
      'The archive is worked on by another process. Run this again once it is done, or in two minutes.',
      null,
    )
  }
  try {
    return await work(lease)
  } finally {
    await releaseLease(deps.sql, lease, deps.clock.now())
  }
}

type Pace = <T>(work: () => Promise<T>) => Promise<T>

/** Rests after each piece of work for as long as its share asks. */
function paceOf({ share = 1, signal }: Run): Pace {
  return async (work) => {
    signal?.throwIfAborted()
    const began = performance.now()
    const result = await work()
    if (share < 1) await wait(((performance.now() - began) * (1 - share)) / share, undefined, { signal })
    return result
  }
}

/** A file is read with tools that every machine has, and its bodies are alike: gzip packs them better together than one by one. */
const PACKED_BODY = /(?<="body":"\\\\x)01[0-9a-f]+/g
const plainBody = (hex: string): string => Buffer.from(unpack(Buffer.from(hex, 'hex'))).toString('hex')

async function* rendered(
  { sql, clock }: ArchiveDeps,
  a: { after: string; before: Date; limit: number; pace: Pace },
): AsyncGenerator<string> {
  let { after } = a
  for (let left = a.limit; left > 0; ) {
    const from = { after, before: a.before, limit: Math.min(left, AT_ONCE) }
    const { numbers, reached } = await a.pace(() => store.listCandidates(sql, from))
    const rows = await a.pace(() => store.listClosed(sql, { numbers, before: a.before, now: clock.now() }))
    for (const row of rows) yield lineOf({ ...row, copied: row.copied.replaceAll(PACKED_BODY, plainBody) })
    left -= rows.length
    if (reached === null) return
    after = reached
  }
}

async function takeFile(
  deps: ArchiveDeps,
  lease: Lease,
  a: { dir: string; before: Date; file: store.ArchiveFile; pace: Pace },
): Promise<number> {
  let taken = 0
  const take = async (lines: readonly Line[]): Promise<void> => {
    taken += await a.pace(() =>
      withTx(deps.sql, async (tx) => {
        const now = deps.clock.now()
        await holdLease(tx, lease, { now, leaseMs: LEASE_MS })
        return store.takeOut(tx, lines, { fileId: a.file.id, before: a.before, now })
      }),
    )
  }
  let batch: Line[] = []
  for await (const line of linesOf(join(a.dir, a.file.name), a.file.sha256)) {
    batch.push(line)
    if (batch.length < AT_ONCE) continue
    await take(batch)
    batch = []
  }
  if (batch.length > 0) await take(batch)
  const kept = await store.listArchivedOf(deps.sql, a.file.id)
  await store.endFile(deps.sql, a.file.id, kept.length === 0 ? 'gone' : 'done')
  // All of its orders were changed meanwhile: nobody will look for it.
  if (kept.length === 0) await removeFile(a.dir, a.file.name)
  return taken
}
