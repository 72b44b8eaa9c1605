// One run of the doctor against a receiver, read from its JSON.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Finding, Verdict } from '../src/doctor/check.ts'
import { allChecks } from '../src/doctor/examine.ts'
import { aPlace, secret } from './program.ts'

export interface Examination {
  code: number | null
  passed: boolean
  counts: Record<Verdict, number>
  checks: Finding[]
  /** What is neither good nor skipped. */
  found: Record<string, string>
  about(id: string): Finding
}

/** Examines a receiver as a program would, and checks what every report must hold. */
export async function examine(
  t: TestContext,
  url: string,
  more: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<Examination> {
  const place = await aPlace(t)
  const args = ['verify', url, '--secret', secret, '--json', ...more]
  const given = { FLORIN_API_KEY: undefined, ...environment }
  // Which authorities are trusted is the whole process's, and what is timed shares none with its receiver.
  const needsProcess = 'NODE_EXTRA_CA_CERTS' in environment || more.includes('--timeout')
  const { code, stdout, stderr } = await (needsProcess ? place.start(args, given).ended : place.run(args, given))
  assert.equal(stderr, '')
  const report: Omit<Examination, 'code' | 'found' | 'about'> = JSON.parse(stdout)
  assert.deepEqual(
    report.checks.map(({ id }) => id),
    allChecks.map(({ id }) => id),
  )
  for (const { should, why, did, mend, verdict } of report.checks) {
    assert.ok(should && why && did)
    assert.equal(mend !== undefined, verdict === 'warn' || verdict === 'mend', 'what is wrong is told with its remedy')
  }
  const told = report.checks.filter(({ verdict }) => verdict !== 'good' && verdict !== 'skipped')
  const found = Object.fromEntries(told.map(({ id, verdict }) => [id, verdict]))
  const about = (id: string) => report.checks.find((each) => each.id === id) ?? assert.fail(`no check ${id}`)
  assert.equal(report.passed, report.counts.mend === 0)
  assert.equal(code, report.passed ? 0 : 1)
  return { ...report, code, found, about }
}
