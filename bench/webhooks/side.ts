// The two ends of a benchmark's side: a sender in a process of its own, and the parent that says when to begin. A
// sender prepares, says "ready", begins at "go", and says "done" when all that can succeed is sent and on record.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { nodeOptions } from '../shipped.ts'
import { machineMs } from './receiver.ts'

export interface Orders {
  databaseUrl: string
  /** Where the receiver listens; the deliveries carry whole URLs. */
  origin: string
  /** Webhook secret by API key. */
  secrets: Record<string, string>
  /** Deliveries to receivers that answer. */
  healthy: number
}

export interface Started {
  /** Resolves when the work of the sender is done. */
  done: Promise<void>
}

/** In the child: prepares with the orders, then waits for the word. */
export async function serveSide(prepare: (orders: Orders) => Promise<() => Started>): Promise<void> {
  const begin = await prepare(JSON.parse(process.argv[2] ?? '{}') as Orders)
  process.on('disconnect', () => process.exit(1))
  process.once('message', async () => {
    await begin().done
    process.send?.('done')
  })
  process.send?.('ready')
}

export interface Side {
  child: ChildProcess
  /** @returns how long it took in seconds; at most `forSeconds`. */
  run(forSeconds: number): Promise<number>
  /** Kills it: what it still holds open is of no interest. */
  stop(): Promise<void>
}

export async function startSide(name: string, orders: Orders): Promise<Side> {
  const profile = process.env.BENCH_PROFILE === name ? ['--cpu-prof', '--cpu-prof-dir=/tmp'] : []
  const child = fork(join(import.meta.dirname, `${name}.ts`), [JSON.stringify(orders)], {
    execArgv: [...nodeOptions, ...profile],
  })
  const failed = new Promise<never>((_, fail) =>
    child.once('exit', (code) => fail(new Error(`${name} ended: ${code}`))),
  )
  failed.catch(() => undefined)
  await Promise.race([once(child, 'message'), failed])
  return {
    child,
    async run(forSeconds) {
      const began = machineMs()
      let timer: NodeJS.Timeout | undefined
      const over = new Promise((resolve) => {
        timer = setTimeout(resolve, forSeconds * 1000)
      })
      child.send('go')
      await Promise.race([once(child, 'message'), over, failed])
      clearTimeout(timer)
      return (machineMs() - began) / 1000
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(profile.length > 0 ? 'SIGTERM' : 'SIGKILL')
      await once(child, 'exit')
    },
  }
}
