// A process that writes a journal without end and says of each entry when it is on disk or was refused: to
// be killed by a test.
import { journalWriter } from '../src/journal/index.ts'
import { anEntry } from './entries.ts'

const [dir = ''] = process.argv.slice(2)
const writer = journalWriter({ dir, seed: new Uint8Array(32).fill(1), now: () => new Date(0) })
for (let n = 0; ; n += 4) {
  await Promise.all(
    [n, n + 1, n + 2, n + 3].map(async (one) => {
      const outcome = await writer.append(anEntry(one)).then(
        () => 'kept',
        () => 'refused',
      )
      process.stdout.write(`${outcome} ${one}\n`)
    }),
  )
}
