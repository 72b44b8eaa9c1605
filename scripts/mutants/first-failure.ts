// A test reporter for runs that end at the first failure: one line for it, and at the end how many tests there were.
import type { TestEvent } from 'node:test/reporters'

export const FAILED = 'first-failure: '
export const TESTS = 'tests-run: '

export default async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let tests = 0
  for await (const { type, data } of events) {
    if (type === 'test:fail') yield `${FAILED}${data.name.replaceAll('\n', ' ')}\n`
    // A file is reported like a test that is named after it.
    if (type === 'test:pass' && data.skip === undefined && data.name !== data.file && !data.name.endsWith('.test.ts'))
      tests++
  }
  yield `${TESTS}${tests}\n`
}
