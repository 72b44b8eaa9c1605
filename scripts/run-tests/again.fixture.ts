// Runs the test files named as arguments as `npm test` does, failed ones once more, and prints what came of it as JSON in its
// last line. A process of its own, because Node's runner does not run inside a test.
import { run } from 'node:test'
import { runFailedAgain } from './again.ts'
import { root } from './files.ts'
import { report, type TestResults } from './reporter.ts'

const print = (text: string): void => void process.stdout.write(text)
const start = (files: string[]): Promise<TestResults> => report(run({ files, cwd: root, concurrency: 2 }), print)

const ranAgain: string[] = []
const first = await start(process.argv.slice(2))
const { tests, flaky } = await runFailedAgain(
  first,
  (path) => {
    ranAgain.push(path)
    return start([path])
  },
  print,
)
const { passed, failed, totals } = tests
print(`\n${JSON.stringify({ passed, failed, totals, flaky, ranAgain })}\n`)
