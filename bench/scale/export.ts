// The export of all of a merchant's orders from an API process, and what its memory does meanwhile.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeOptions } from '../shipped.ts'

export interface ExportFigures {
  rows: number
  seconds: number
  /** MB of the process before, after a short export as it warms up, and the most during the long one. */
  idleMb: number
  mostMb: number
}

/** Above the process at rest. */
export const EXPORT_GOAL_MB = 40

const MB = 1024 * 1024

async function residentMb(pid: number): Promise<number> {
  const [, pages = '0'] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')
  return (Number(pages) * 4096) / MB
}

export async function exportOf(
  databaseUrl: string,
  a: { headers: Record<string, string>; warmUp: string },
): Promise<ExportFigures> {
  const child = spawn(process.execPath, [...nodeOptions, join(import.meta.dirname, 'api.ts'), databaseUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  try {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the API process ended')))
    ended.catch(() => undefined)
    const [said] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer]
    const pid = child.pid ?? 0
    const read = async (query: string, onPiece: () => void | Promise<void>): Promise<number> => {
      const url = `${String(said).trim()}/api/v1/boss/orders/export?format=csv&livemode=true${query}`
      const answer = await fetch(url, { headers: a.headers })
      if (!answer.ok || answer.body === null)
        throw new Error(`the export answered ${answer.status}: ${await answer.text()}`)
      let rows = -1
      for await (const piece of answer.body) {
        rows += Buffer.from(piece).reduce((sum, byte) => sum + Number(byte === 10), 0)
        await onPiece()
      }
      return rows
    }
    await read(a.warmUp, () => undefined)
    const idleMb = await residentMb(pid)
    let [mostMb, pieces] = [idleMb, 0]
    const began = performance.now()
    const rows = await read('', async () => {
      if (pieces++ % 20 === 0) mostMb = Math.max(mostMb, await residentMb(pid))
    })
    return { rows, seconds: (performance.now() - began) / 1000, idleMb, mostMb }
  } finally {
    child.stdin.end()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}
