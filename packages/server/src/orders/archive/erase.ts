// Erases what is known of a payer, from the database and from the files of the archive. An archived order is put back
// first and its lines are dropped from every file; what is left to erase is erased last, so that a killed run is found
// again by the same question.
import { join } from 'node:path'
import { chunksOf } from '../../platform/chunks.ts'
import { recordAudit } from '../../platform/db/audit.ts'
import { withTx } from '../../platform/db/tx.ts'
import { newId } from '../../platform/ids.ts'
import { type ArchiveDeps, dropHalf, underLease } from './archive.ts'
import { eraseInvoices, erasePayer, type Reach } from './erase.store.ts'
import { linesOf, listManifests, type Manifest, removeFile, writeFileOf } from './file.ts'
import { restoreOrder } from './restore.ts'
import * as store from './store.ts'

const AT_ONCE = 500

export interface Erased {
  orders: number
  files: number
}

/** @throws OperatorError where a file that an order is in cannot be read: then nothing of that batch is erased. */
export async function erasePayers(
  deps: ArchiveDeps,
  a: { dir: string; orders: readonly string[] } & Reach,
): Promise<Erased> {
  return underLease(deps, async () => {
    await dropHalf(deps, a.dir)
    const done: Erased = { orders: 0, files: 0 }
    for (const batch of chunksOf(a.orders, AT_ONCE)) {
      for (const orderNo of batch) await restoreOrder(deps, a.dir, orderNo)
      for (const manifest of await listManifests(a.dir)) {
        const inRange = batch.filter((orderNo) => orderNo >= manifest.first && orderNo <= manifest.last)
        if (inRange.length > 0 && (await dropLines(deps, a.dir, manifest, new Set(inRange)))) done.files++
      }
      for (const orderNo of batch) if (await erase(deps, orderNo, a)) done.orders++
    }
    return done
  })
}

function erase({ sql, clock }: ArchiveDeps, orderNo: string, a: Reach): Promise<boolean> {
  return withTx(sql, async (tx) => {
    const now = clock.now()
    const merchantId = await erasePayer(tx, orderNo, a)
    if (merchantId === null) return false
    const entry = { merchantId, actor: 'operator', action: 'order.payer_erased', subject: orderNo }
    await recordAudit(tx, { ...entry, detail: { with_invoices: a.withInvoices, with_texts: a.withTexts } }, now)
    return true
  })
}

/** Invoices that no order led to. @returns how many. */
export function eraseOldInvoices(
  { sql, clock }: ArchiveDeps,
  which: { email: string } | { before: Date },
): Promise<number> {
  return withTx(sql, async (tx) => {
    const now = clock.now()
    const erased = await eraseInvoices(tx, which)
    for (const { id, merchantId } of erased) {
      const entry = { merchantId, actor: 'operator', action: 'invoice.payer_erased', subject: id, detail: {} }
      await recordAudit(tx, entry, now)
    }
    return erased.length
  })
}

/** Lines of orders that were put back long ago may still stand in a file, which is why all files are looked at. */
async function dropLines(
  deps: ArchiveDeps,
  dir: string,
  manifest: Manifest,
  numbers: ReadonlySet<string>,
): Promise<boolean> {
  let holds = false
  for await (const line of linesOf(join(dir, manifest.file), manifest.sha256)) holds ||= numbers.has(line.orderNo)
  if (!holds) return false
  const [known] = await store.findFileByName(deps.sql, manifest.file)
  if (known !== undefined) {
    const now = deps.clock.now()
    const kept = new Set(await store.listArchivedOf(deps.sql, known.id))
    const lines = async function* (): AsyncGenerator<string> {
      for await (const line of linesOf(join(dir, manifest.file), known.sha256)) {
        if (kept.has(line.orderNo) && !numbers.has(line.orderNo)) yield line.text
      }
    }
    const id = newId('arc', now)
    const name = `${manifest.file.slice(0, 'orders-20261231-'.length)}${id.slice(4)}.ndjson.gz`
    const next = await writeFileOf(dir, { name, schema: manifest.schema, madeAt: now, lines: lines() })
    await withTx(deps.sql, async (tx) => {
      if (next !== null) {
        await store.insertFile(tx, { id, name, sha256: next.sha256 }, now)
        await store.endFile(tx, id, 'done')
        await store.moveToFile(tx, known.id, id)
      }
      await store.endFile(tx, known.id, 'gone')
    })
  }
  await removeFile(dir, manifest.file)
  return true
}
