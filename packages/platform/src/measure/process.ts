// What is measured of this process and the machine below it, when somebody asks.
import { statfs } from 'node:fs/promises'
import { collectDefaultMetrics, Gauge } from 'prom-client'
import { metrics } from '../metrics.ts'

export interface Measured {
  version: string
  commit: string
  mode: string
  /** Name → folder, of those whose disk must not fill. */
  folders: Readonly<Record<string, string>>
  /** A sentence, or null: the database answers and writes. Asked once a reading, and answered within two seconds. */
  databaseTrouble(): Promise<string | null>
}

let measured: Measured | null = null

/** Once per process, though tests build several apps in one: the last one counts. */
export function measureProcess(what: Measured): void {
  measured = what
  if (metrics.getSingleMetric('process_cpu_seconds_total') === undefined) collectDefaultMetrics({ register: metrics })
}

const registers = [metrics]

const build = new Gauge({
  name: 'florin_build_info',
  help: '1, with what runs here',
  labelNames: ['version', 'commit', 'node', 'mode'] as const,
  registers,
  collect() {
    build.reset()
    if (measured === null) return
    const { version, commit, mode } = measured
    build.set({ version, commit, node: process.versions.node, mode }, 1)
  },
})

const database = new Gauge({
  name: 'florin_database_trouble',
  help: '1 while the database does not answer this process or refuses to write, else 0',
  registers,
  async collect() {
    if (measured !== null) database.set((await measured.databaseTrouble()) === null ? 0 : 1)
  },
})

const labelNames = ['folder'] as const
const free = new Gauge({
  name: 'florin_disk_free_ratio',
  help: 'How much of the disk below a folder is free for this user, from 0 to 1; absent where there is no such folder',
  labelNames,
  registers,
  async collect() {
    free.reset()
    for (const [folder, path] of Object.entries(measured?.folders ?? {})) {
      const found = await statfs(path).catch(() => null)
      if (found !== null && found.blocks > 0) free.set({ folder }, found.bavail / found.blocks)
    }
  },
})
