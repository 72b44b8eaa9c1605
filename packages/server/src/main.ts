// The life of a process: settings, database, server, jobs, and their end in the opposite order. One program, four
// modes (api, worker, migrate, all), so there is one image and one wiring.
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type Check, fault, ok, spanOf } from '@florin/platform/check'
import { stopwatch } from '@florin/platform/clock'
import { isDatabaseDown } from '@florin/platform/db/failures'
import { OperatorError } from '@florin/platform/errors'
import { instance, makeLog } from '@florin/platform/log'
import { releaseCommit, releaseVersion } from '@florin/platform/release'
import { useTracer } from '@florin/platform/trace/tracing'
import { type RunningJobs, startJobs } from '@florin/platform/worker/loop'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { openDeps } from './deps.ts'
import { openEmbedded } from './embedded.ts'
import { listJobs } from './jobs.ts'
import { examineSettings } from './reports/golive.ts'
import type { Config } from './settings.ts'
import { listenForWakes } from './webhooks/notify.ts'

/** A job that has not succeeded for this long beyond its own pace makes the process not ready. */
const JOB_STUCK_MS = 60_000

type Closer = { what: string; close: () => Promise<unknown> }

async function start(config: Config, log: FastifyBaseLogger): Promise<Closer[]> {
  const tookMs = stopwatch()
  const closers: Closer[] = []
  if (!process.stdout.isTTY)
    log.info(
      { version: releaseVersion, commit: releaseCommit, node: process.versions.node, mode: config.mode },
      'Florin starts',
    )
  try {
    if (config.mode !== 'migrate') await refuseTakenPort(config)
    let databaseUrl = config.databaseUrl
    if (databaseUrl === null) {
      // A disk that stays full ends PostgreSQL; this process answers 503 until there is room and it runs again.
      const embedded = await openEmbedded({ dataDir: config.dataDir, log, isKept: true })
      closers.push({ what: 'PostgreSQL', close: () => embedded.stop() })
      databaseUrl = embedded.url
    }
    if (config.otlp !== null) {
      const { otlpTracer } = await import('@florin/platform/trace/otlp')
      const end = useTracer(await otlpTracer({ ...config.otlp, version: releaseVersion, instance }))
      closers.push({ what: 'traces', close: end })
    }
    const opened = await openDeps({ config, log, databaseUrl })
    closers.push({ what: 'connections', close: () => opened.close() })
    if (opened.migrationsRun.length > 0) log.info(migrated(opened.migrationsRun), 'schema migrated')
    if (config.mode === 'migrate') return closers

    let jobs: RunningJobs | null = null
    let isDraining = false
    const jobList = config.mode === 'api' ? [] : listJobs(opened.jobDeps)
    const app = await buildApp(opened.deps, {
      required: () => [
        isDraining
          ? fault('drain', 'This process is about to stop.', 'Send requests to another process.')
          : ok('drain', 'This process takes requests.'),
        ...(config.mode === 'api' ? [] : checkJobs(jobs)),
      ],
      others: () => {
        const ofJobs = jobList.flatMap((job) => job.checks?.() ?? [])
        const isSaid = (own: Check): boolean =>
          ofJobs.some(({ id, subject }) => id === own.id && subject === own.subject)
        return [...opened.checks().filter((own) => !isSaid(own)), ...ofJobs]
      },
    })
    if (config.mode !== 'worker') {
      const stopListening = listenForWakes(opened.deps, 'florin_positions', () => opened.deps.wake.positions.fire())
      closers.push({ what: 'the wakes of streams', close: stopListening })
    }
    if (config.mode !== 'api') {
      const running = startJobs(jobList, opened.jobDeps)
      jobs = running
      closers.push({ what: 'jobs', close: () => running.stop() })
    }
    // Pushed last, so it is closed first: no request arrives while the rest goes down. A balancer hears of it before.
    closers.push({
      what: 'server',
      async close() {
        isDraining = true
        await wait(config.drainDelayMs)
        await app.close()
      },
    })
    await app.listen({ port: config.port, host: config.host })
    if (!config.isLoopbackInstall && config.baseUrl.startsWith('http:'))
      log.warn(
        `BASE_URL is ${config.baseUrl}: sign-in codes, tokens and API keys would travel in the clear. ` +
          'Put a proxy with TLS before Florin and set BASE_URL to its https:// address.',
      )
    for (const { remedy, summary } of examineSettings(config)) if (remedy !== null) log.warn(`${summary} ${remedy}`)
    greet(config, log, tookMs())
    return closers
  } catch (error) {
    await closeAll(closers, log)
    throw error
  }
}

function migrated(names: readonly string[]): object {
  return { first: names.at(0), last: names.at(-1), count: names.length }
}

function checkJobs(jobs: RunningJobs | null): Check[] {
  const stuck = [...(jobs?.lastSuccess ?? [])].flatMap(([name, { at, everyMs }]) => {
    const silentMs = performance.now() - at
    if (silentMs <= JOB_STUCK_MS + 2 * everyMs) return []
    const summary = `${name} has not succeeded for ${spanOf(silentMs / 1000)}.`
    return [fault(['job', name], summary, 'docs/operations.md#florinjobstuck')]
  })
  return stuck.length > 0 ? stuck : [ok('job', `${jobs?.lastSuccess.size ?? 0} jobs succeed at their pace.`)]
}

/** Said before the database is started, because that takes longer. */
async function refuseTakenPort(config: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? portTaken(config) : error)
    })
    probe.listen({ port: config.port, host: config.host, exclusive: true }, () => probe.close(() => resolve()))
  })
}

const portTaken = (config: Config): OperatorError =>
  new OperatorError(
    `Port ${config.port} on ${config.host} is in use, perhaps by another Florin. Stop that program or choose another port: PORT=${config.port + 1} npm start`,
  )

function greet(config: Config, log: FastifyBaseLogger, tookMs: number): void {
  const seconds = (tookMs / 1000).toFixed(1)
  if (!process.stdout.isTTY) {
    log.info({ base_url: config.baseUrl, mode: config.mode, seconds: Number(seconds) }, 'Florin is ready')
    return
  }
  process.stdout.write(
    `\n  Florin is ready after ${seconds} s\n\n` +
      `    console   ${config.baseUrl}/console/\n    API       ${config.baseUrl}/v1\n    API docs  ${config.baseUrl}/docs\n\n` +
      '  Press Ctrl-C to stop.\n\n',
  )
}

async function closeAll(closers: readonly Closer[], log: FastifyBaseLogger): Promise<void> {
  for (const { what, close } of closers.toReversed()) {
    await close().catch((error: unknown) => log.error({ err: error }, `could not close: ${what}`))
  }
}

const ECHO_MS = 1_000

async function main(): Promise<void> {
  const config = readConfig()
  const log = makeLog(config.logLevel)
  let closers: Closer[] | null = null
  let stopping: string | null = null
  let sinceAsked = stopwatch()
  const stop = async (signal: string): Promise<void> => {
    if (stopping !== null) {
      // A signal to the whole group comes once by itself and again from each parent that passes it on.
      if (sinceAsked() < ECHO_MS) return
      // Asked twice: what is under way is given up. PostgreSQL is left running and adopted by the next start.
      process.stderr.write('stopping at once\n')
      process.exit(130)
    }
    stopping = signal
    sinceAsked = stopwatch()
    // Still starting: the end of the start sees that it is to stop.
    if (closers === null) return
    log.info(`${signal}: shutting down`)
    await closeAll(closers, log)
    log.info('stopped')
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal))
  closers = await start(config, log)
  if (stopping !== null || config.mode === 'migrate') {
    await closeAll(closers, log)
    process.exit(0)
  }
}

/** A refusal and a database that cannot be reached are sentences for a person. Anything else is a bug and shows its stack. */
function lastWords(error: unknown): string | undefined {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof OperatorError) return `${error.message}\nMore: ${error.docs}`
  if (!isDatabaseDown(error)) return error.stack
  const cause = error.cause instanceof Error && error.cause.message !== '' ? ` (${error.cause.message})` : ''
  return `Florin cannot start without its database: ${error.message}${cause}\nStart it again once the database answers.\nMore: docs/operations.md#processes`
}

main().catch((error: unknown) => {
  process.stderr.write(`${lastWords(error)}\n`)
  process.exit(1)
})
