// Draws invoices in a thread of its own (`platform/worker/thread.ts`): one takes a tenth of a second of a processor.
import { parentPort } from 'node:worker_threads'
import type { ThreadAnswer } from '@florin/platform/worker/thread'
import { invoicePdf, type PdfParts } from './invoice-pdf.ts'

parentPort?.on('message', async (parts: PdfParts) => {
  const answer: ThreadAnswer<Uint8Array> = await invoicePdf(parts).then(
    (done) => ({ done }),
    (error: unknown) => ({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
  parentPort?.postMessage(answer)
})
