// Promises of the log: a database that is away is one line, and one when it is back; a failure that repeats is one line a minute.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from '../db/failures.ts'
import { OperatorError } from '../errors.ts'
import { makeLog } from '../log.ts'
import { logFailures } from './failures.ts'

function written() {
  const lines: {
    level: string
    msg: string
    job?: string
    unlogged?: number
    reason?: string
    err?: { stack?: string }
  }[] = []
  return { lines, log: makeLog('info', { write: (line) => void lines.push(JSON.parse(line)) }) }
}

const gone = () => new DatabaseUnavailable('CONNECTION_REFUSED')

test('forty jobs that lose the database for long are two lines, whoever succeeds without it', () => {
  const { lines, log } = written()
  const failures = logFailures(log)
  const jobs = Array.from({ length: 40 }, (_, n) => `job ${n}`)
  for (let n = 0; n < 50; n++) {
    for (const job of jobs) failures.failed(job, gone())
    failures.succeeded('a job without a database')
  }
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [['error', 'the database is away: background jobs wait for it']],
  )
  for (const job of jobs) failures.succeeded(job)
  assert.equal(lines.at(-1)?.msg, 'the database is back')
  assert.equal(lines.length, 2)
})

test('a connection that is ended once is no line: the next try works', () => {
  const { lines, log } = written()
  const failures = logFailures(log)
  for (let n = 0; n < 20; n++) {
    failures.failed('send-mail', new DatabaseUnavailable('CONNECTION_CLOSED'))
    failures.succeeded('send-mail')
  }
  assert.deepEqual(lines, [])
})

test('waiting for a lock or a connection is one line for all jobs, without a stack', () => {
  const { lines, log } = written()
  const failures = logFailures(log)
  const busy = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  for (let n = 0; n < 40; n++) failures.failed(`job ${n}`, busy)
  assert.deepEqual(
    lines.map(({ level, msg, err }) => [level, msg, err]),
    [['warn', 'a background job waits for the database', undefined]],
  )
  for (let n = 0; n < 40; n++) failures.failed(`job ${n}`, new DatabaseUnavailable('ACQUIRE_TIMEOUT'))
  assert.equal(lines.length, 2)
})

test('the same failure again is counted, and another failure, or the same after a success, is a line with its stack', () => {
  const { lines, log } = written()
  const failures = logFailures(log)
  const fail = (why: string) => failures.failed('watch', new Error(why))
  for (let n = 0; n < 100; n++) fail('reorg deeper than 32')
  assert.equal(lines.length, 1)
  assert.match(lines[0]?.err?.stack ?? '', /reorg deeper/)
  fail('no answer')
  failures.succeeded('watch')
  fail('no answer')
  assert.equal(lines.length, 3)

  const often = logFailures(log, 0)
  for (let n = 0; n < 2; n++) often.failed('watch', new Error('reorg deeper than 32'))
  assert.equal(lines.length, 5)
})

test('two failures that take turns are two lines, and one that is said in words has no stack', () => {
  const { lines, log } = written()
  const failures = logFailures(log)
  for (let n = 0; n < 50; n++) failures.failed('watch', new Error(n % 2 === 0 ? 'one is away' : 'two is away'))
  assert.deepEqual(
    lines.map(({ err }) => typeof err?.stack),
    ['string', 'string'],
  )
  for (let n = 0; n < 50; n++) failures.failed('watch', new OperatorError('reorg deeper than 32'))
  assert.equal(lines.length, 3)
  assert.deepEqual([lines[2]?.reason, lines[2]?.err], ['reorg deeper than 32', undefined])
})
