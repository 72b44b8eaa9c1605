// The export of all of a merchant's orders from an API process, and what its memory does meanwhile.
import { ApiProcess } from './process.ts'

export interface ExportFigures {
  rows: number
  seconds: number
  /** MB of the process before, after a short export as it warms up, and the most during the long one. */
  idleMb: number
  mostMb: number
}

interface Asked {
  headers: Record<string, string>
  warmUp: string
  onStart?: (pid: number) => unknown
  told?: (rows: number) => void
}

/** Above the process at rest. */
export const EXPORT_GOAL_MB = 40

/** It rests as long as it works, and takes ten minutes on a busy machine: nobody should think that it hangs. */
const TOLD_EVERY_MS = 15_000

export async function exportOf(databaseUrl: string, a: Asked): Promise<ExportFigures> {
  const api = await ApiProcess.start(databaseUrl)
  try {
    a.onStart?.(api.pid)
    const read = async (query: string, onPiece: (rows: number) => unknown): Promise<number> => {
      const url = `${api.origin}/api/v1/boss/orders/export?format=csv&livemode=true${query}`
      const answer = await api.orEnd('answer', fetch(url, { headers: a.headers }))
      if (!answer.ok || answer.body === null)
        throw new Error(`the export answered ${answer.status}: ${await answer.text()}`)
      const body = answer.body.getReader()
      for (let rows = -1; ; ) {
        const { done, value } = await api.orEnd('more of the export', body.read())
        if (done) return rows
        for (const byte of value) if (byte === 10) rows++
        await onPiece(rows)
      }
    }
    await read(a.warmUp, () => undefined)
    const idleMb = await api.residentMb()
    let [mostMb, pieces] = [idleMb, 0]
    const began = performance.now()
    let toldAt = began
    const rows = await read('', async (sofar) => {
      if (performance.now() - toldAt > TOLD_EVERY_MS) {
        toldAt = performance.now()
        a.told?.(sofar)
      }
      if (pieces++ % 20 === 0) mostMb = Math.max(mostMb, await api.residentMb())
    })
    return { rows, seconds: (performance.now() - began) / 1000, idleMb, mostMb }
  } finally {
    await api.end()
  }
}
