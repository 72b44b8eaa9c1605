// A thread that does what it is told, for `thread.test.ts`.
import { parentPort } from 'node:worker_threads'
import type { ThreadAnswer } from './thread.ts'

parentPort?.on('message', (work: string) => {
  if (work === 'exit') process.exit(1)
  if (work === 'throw') throw new Error('the thread is broken')
  if (work === 'endless') for (;;) work.toString()
  const answer: ThreadAnswer<string> = work === 'fail' ? { failed: 'it failed' } : { done: work.toUpperCase() }
  parentPort?.postMessage(answer)
})
