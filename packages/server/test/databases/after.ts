// What has to end after all else that a test has still to stop: its database and the way to it.
import type { TestContext } from 'node:test'

type After = TestContext['after']
type Hook = () => unknown

/** What ends last, of each test that has any. */
const lasts = new WeakMap<TestContext, Hook[]>()

/**
 * Node runs what was given to `after` first first, and a worker that a test started has perhaps something to write while it
 * is stopped: without a database it would wait for one for ever. Of several the one given last ends first.
 */
export function afterAllElse(t: TestContext, last: Hook): void {
  const known = lasts.get(t)
  if (known !== undefined) return void known.unshift(last)
  const inOrder = [last]
  const others: Hook[] = []
  lasts.set(t, inOrder)
  t.after(async () => {
    const failures: unknown[] = []
    // Read as they run: one may add another.
    for (const hooks of [others, inOrder]) {
      for (const hook of hooks) {
        try {
          await hook()
        } catch (error) {
          failures.push(error)
        }
      }
    }
    if (failures.length > 0) throw failures[0]
  })
  t.after = ((hook: (t: TestContext) => unknown) => void others.push(() => hook(t))) as After
}
