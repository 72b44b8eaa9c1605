// Records /metrics of each process of a fleet every five seconds, as Prometheus keeps it. Prometheus' own promtool then judges which of
// the shipped alerts fire over the recorded series.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { needsDebian } from '../../packages/server/test/debian.ts'

const execute = promisify(execFile)
const rules = join(import.meta.dirname, '../../deploy/prometheus/alerts.yml')
const EVERY_S = 5
const JUDGED_EVERY_S = 15

export interface Alert {
  name: string
  severity: string
  /** The process that the alert is about; empty where the alert is of the whole installation. */
  instance: string
  /** Seconds of the recording. */
  from: number
  until: number
}

export interface Recording {
  /** The length of the recording so far. */
  seconds(): number
  stop(): Promise<void>
  /** The alerts that fired, with their times. To be asked after `stop`. */
  alerts(): Promise<Alert[]>
}

export async function record(list: () => readonly { name: string; url: string }[]): Promise<Recording> {
  await needsDebian('prometheus')
  // Only series that the rules name matter here.
  const wanted = new Set((await readFile(rules, 'utf8')).match(/\bflorin_\w+/g))
  const series = new Map<string, string[]>()
  const live = new Map<string, Set<string>>()
  const ended = new AbortController()
  const began = performance.now()
  const tick = (): number => Math.floor((performance.now() - began) / (EVERY_S * 1000))

  const keep = (name: string, at: number, value: string): void => {
    const values = series.get(name) ?? []
    series.set(name, values)
    values[at] = value
  }
  async function scrape({ name, url }: { name: string; url: string }, at: number): Promise<void> {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(EVERY_S * 900) }).catch(() => null)
    const text = answer?.ok === true ? await answer.text().catch(() => null) : null
    const own = `job="florin",instance="${name}"`
    keep(`up{${own}}`, at, text === null ? '0' : '1')
    const seen = new Set<string>()
    for (const line of text?.split('\n') ?? []) {
      const [, metric = '', labels, value = ''] = /^(florin_\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      if (!wanted.has(metric)) continue
      const one = `${metric}{${labels ? `${labels},` : ''}${own}}`
      seen.add(one)
      keep(one, at, value.replace('Nan', 'NaN'))
    }
    // Prometheus marks a series that a process no longer shows in this way.
    for (const one of live.get(name) ?? []) if (!seen.has(one)) keep(one, at, 'stale')
    live.set(name, seen)
  }
  const recording = (async () => {
    while (!ended.signal.aborted) {
      const at = tick()
      await Promise.all(list().map((target) => scrape(target, at)))
      const rest = (at + 1) * EVERY_S * 1000 - (performance.now() - began)
      await wait(Math.max(0, rest), undefined, { signal: ended.signal }).catch(() => undefined)
    }
  })()

  let last = 0
  return {
    seconds: () => (performance.now() - began) / 1000,
    async stop() {
      ended.abort()
      await recording
      last = tick()
    },
    async alerts() {
      const input = [...series].map(([name, values]) => ({
        series: name,
        values: Array.from({ length: last + 1 }, (_, at) => values[at] ?? '_').join(' '),
      }))
      return judged(input, last * EVERY_S)
    },
  }
}

/** Every expectation is empty and FlorinWatchdog always fires, so promtool prints at each time which alerts it got instead. */
async function judged(input: readonly { series: string; values: string }[], seconds: number): Promise<Alert[]> {
  const dir = await mkdtemp(join(tmpdir(), 'florin-recording-'))
  const file = join(dir, 'recorded.yml')
  const asked = Array.from({ length: Math.floor(seconds / JUDGED_EVERY_S) }, (_, n) => ({
    expr: 'group by (alertname, instance, severity) (ALERTS{alertstate="firing"})',
    eval_time: `${(n + 1) * JUDGED_EVERY_S}s`,
    exp_samples: [],
  }))
  const test = { interval: `${EVERY_S}s`, input_series: input, promql_expr_test: asked }
  const text = { rule_files: [rules], evaluation_interval: `${JUDGED_EVERY_S}s`, tests: [test] }
  try {
    await writeFile(file, JSON.stringify(text))
    const said = await execute('promtool', ['test', 'rules', file], { maxBuffer: 256 << 20 }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string; stderr: string }) => `${error.stdout}\n${error.stderr}`,
    )
    const alerts = new Map<string, Alert>()
    const looks = [...said.matchAll(/time: (\S+),\s+exp:[^\n]*\n\s+got:([^\n]*)/g)]
    if (looks.length < asked.length) throw new Error(`promtool judged ${looks.length} of ${asked.length}:\n${said}`)
    for (const [, time = '', got = ''] of looks) {
      const at = secondsOf(time)
      for (const [, labels = ''] of got.matchAll(/\{([^}]*)\}/g)) {
        const label = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(labels)?.[1] ?? ''
        const alert = { name: label('alertname'), severity: label('severity'), instance: label('instance') }
        const known = alerts.get(labels)
        alerts.set(labels, { ...alert, from: known?.from ?? at, until: at })
      }
    }
    return [...alerts.values()].filter(({ name }) => name !== 'FlorinWatchdog')
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** "1h2m3s" */
function secondsOf(time: string): number {
  const units = { h: 3600, m: 60, s: 1 } as const
  return [...time.matchAll(/(\d+)([hms])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * units[unit as 'h'], 0)
}
