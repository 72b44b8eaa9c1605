// What a test run prints: a line for each file, each failure in full where it happens, the failed names once more
// near the end, and as the last lines the test runner's own totals.
import { join, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

const root = join(import.meta.dirname, '..')

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const printed = new Map<string, string>()
  const failed: string[] = []
  const totals: string[] = []
  const broken = new Set<string>()
  for await (const { type, data } of events) {
    const file = data !== undefined && 'file' in data && data.file !== undefined ? relative(root, data.file) : null
    if (type === 'test:stdout' || type === 'test:stderr') {
      printed.set(file ?? '', (printed.get(file ?? '') ?? '') + data.message)
    } else if (type === 'test:diagnostic') {
      if (file === null) totals.push(`# ${data.message}\n`)
      else yield `      ${data.message}\n`
    } else if (type === 'test:fail') {
      const { error } = data.details
      if (file !== null) broken.add(file)
      // Its failed parts have been told already.
      if ('failureType' in error && error.failureType === 'subtestsFailed') continue
      const isFile = file !== null && data.name.endsWith(file)
      failed.push(isFile ? file : `${file} › ${data.name}`)
      if (isFile) yield `FAIL  ${file} ended before its tests did\n${indent(printed.get(file) ?? '')}`
      else yield `FAIL  ${data.name}\n${indent(inspect(error.cause ?? error))}`
    } else if (type === 'test:summary' && file !== null) {
      // What a passing file prints helps nobody; what a failing one prints may say why.
      if (broken.has(file)) yield indent(printed.get(file) ?? '')
      yield `${broken.has(file) ? 'FAIL ' : 'ok   '} ${file} (${data.counts.tests} tests, ${(data.duration_ms / 1000).toFixed(1)} s)\n`
    }
  }
  yield '\n'
  if (failed.length > 0) yield `failed:\n${failed.map((name) => `  ${name}\n`).join('')}\n`
  const began = Number(process.env.FLORIN_TEST_BEGAN)
  if (began > 0) yield `checks and tests took ${((Date.now() - began) / 1000).toFixed(1)} s in all\n`
  yield totals.join('')
}

function indent(text: string): string {
  return text === '' ? '' : `${text.trimEnd().replaceAll(/^/gm, '        ')}\n`
}
