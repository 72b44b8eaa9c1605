import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import fc from 'fast-check'
import { AppError } from '../platform/errors.ts'
import { afterWrongTry, codeWaitMs, mayJoin, parseEmail, pauseLeftMs, type WrongTries } from './rules.ts'

const at = (ms: number): Date => new Date(1_800_000_000_000 + ms)

test('an email has one canonical form: lower case, its domain in ASCII', () => {
  const forms: [string, string][] = [
    ['ann@shop.example', 'ann@shop.example'],
    ['Ann.B+Tag@SHOP.Example', 'ann.b+tag@shop.example'],
    ["o'neill_1!#$%&*/=?^`{|}~-@a-b.co", "o'neill_1!#$%&*/=?^`{|}~-@a-b.co"],
    ['ann@Müller.example', 'ann@xn--mller-kva.example'],
    ['ann@xn--mller-kva.example', 'ann@xn--mller-kva.example'],
    ['ann@例え.テスト', 'ann@xn--r8jz45g.xn--zckzah'],
    ['ann@localhost', 'ann@localhost'],
    [`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`, ''],
  ]
  for (const [text, canonical] of forms) assert.equal(parseEmail(text), canonical === '' ? text : canonical)
})

test('what is no email, or could smuggle something into a mail, is refused by name', () => {
  const bad = [
    '',
    'ann',
    '@shop.example',
    'ann@',
    'ann@shop',
    'ann@@shop.example',
    'ann@b@shop.example',
    '.ann@shop.example',
    'ann.@shop.example',
    'a..n@shop.example',
    'ann@shop..example',
    'ann@-shop.example',
    'ann@shop-.example',
    'ann@.example',
    'ann@shop.example.',
    ' ann@shop.example',
    'ann@shop.example ',
    'ann @shop.example',
    'ann\t@shop.example',
    'ann\r\nBcc: all@x.example\r\n@shop.example',
    'ann@shop.example\r\nBcc: all@x.example',
    'ann@shop.example,all@x.example',
    'ann,all@shop.example',
    'Ann <ann@shop.example>',
    '"ann b"@shop.example',
    'ann@[127.0.0.1]',
    'ann@127.0.0.1',
    'ann@[IPv6:::1]',
    'ann@shop.example:25',
    'ann@shop.example/x',
    'ann@shop%2eexample',
    'ann@ex\u00adä%41.example',
    'änn@shop.example',
    // The Kelvin sign lower-cases to an ASCII k.
    '\u212Aann@shop.example',
    'ann\0@shop.example',
    `${'a'.repeat(65)}@shop.example`,
    `ann@${'b'.repeat(64)}.example`,
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(62)}`,
  ]
  for (const text of bad) {
    assert.throws(
      () => parseEmail(text),
      (error) => error instanceof AppError && error.entry.code === 'validation_failed' && error.param === 'email',
      JSON.stringify(text),
    )
  }
})

test('any text is either refused or made canonical, in plain ASCII, and a canonical form is a fixed point', () => {
  const words = fc.oneof(
    fc.emailAddress(),
    fc.string({ unit: 'grapheme' }),
    fc.tuple(fc.string(), fc.domain()).map((p) => p.join('@')),
  )
  fc.assert(
    fc.property(words, (text) => {
      let canonical: string
      try {
        canonical = parseEmail(text)
      } catch (error) {
        assert(error instanceof AppError)
        return
      }
      assert.match(canonical, /^[\x21-\x2b\x2d-\x39\x3d\x3f-\x7e]{3,254}$/)
      assert.equal(parseEmail(canonical), canonical)
    }),
    { numRuns: 2000 },
  )
})

test('who may join: everybody, nobody, or who is on the list; the operator always', () => {
  const ann = parseEmail('ann@shop.example')
  assert.equal(mayJoin(ann, { kind: 'open' }, []), true)
  assert.equal(mayJoin(ann, { kind: 'closed' }, []), false)
  assert.equal(mayJoin(ann, { kind: 'closed' }, ['ann@shop.example']), true)
  const allow = (...patterns: string[]): boolean => mayJoin(ann, { kind: 'allowlist', patterns }, [])
  assert.equal(allow('Ann@Shop.Example'), true)
  assert.equal(allow('bob@shop.example', '*@SHOP.example'), true)
  assert.equal(allow('*@example', '*@p.example', '*@shop.example.com', 'nn@shop.example', '*', 'shop.example'), false)
  assert.equal(mayJoin(parseEmail('a@Müller.example'), { kind: 'allowlist', patterns: ['*@müller.example'] }, []), true)
})

test('however codes are asked for, no window has more than a minute, ten and thirty of them', () => {
  const asks = fc.array(
    fc.record({ wait: fc.integer({ min: 0, max: 4 * MINUTE_MS }), who: fc.integer({ min: 0, max: 3 }) }),
    {
      minLength: 50,
      maxLength: 300,
    },
  )
  fc.assert(
    fc.property(asks, (steps) => {
      const given: { who: number; at: number }[] = []
      let now = 0
      for (const step of steps) {
        now += step.wait
        const recent = given.filter((code) => code.at > now - HOUR_MS).reverse()
        const ofEmail = recent.filter((code) => code.who === step.who)
        const dates = (codes: typeof given): Date[] => codes.map((code) => at(code.at))
        const wait = codeWaitMs({ ofEmail: dates(ofEmail), ofClient: dates(recent) }, at(now))
        const isFree = ofEmail.length < 10 && recent.length < 30 && now - (ofEmail[0]?.at ?? -HOUR_MS) >= MINUTE_MS
        assert.equal(wait === 0, isFree)
        if (wait === 0) given.push({ who: step.who, at: now })
      }
    }),
    { numRuns: 200 },
  )
})

test('the twentieth wrong try of a day begins pauses that double, and tells the owner once', () => {
  let wrong: WrongTries | null = null
  const told: number[] = []
  const pauses: number[] = []
  let now = 0
  for (let n = 1; n <= 24; n++) {
    const next = afterWrongTry(wrong, at(now))
    if (next.tellOwner) told.push(n)
    wrong = next
    pauses.push(pauseLeftMs(wrong, at(now)) / MINUTE_MS)
    now += pauseLeftMs(wrong, at(now))
    assert.equal(pauseLeftMs(wrong, at(now)), 0)
  }
  assert.deepEqual(told, [20])
  assert.deepEqual(pauses, [...Array<number>(19).fill(0), 1, 2, 4, 8, 16])
  assert.deepEqual(afterWrongTry(wrong, at(DAY_MS)), {
    tries: 1,
    since: at(DAY_MS),
    pausedUntil: null,
    tellOwner: false,
  })
})

test('whoever guesses without rest gets 30 guesses within a day', () => {
  let wrong: WrongTries | null = null
  let guesses = 0
  for (let now = 0; now < DAY_MS; ) {
    wrong = afterWrongTry(wrong, at(now))
    guesses++
    now += pauseLeftMs(wrong, at(now))
  }
  assert.equal(guesses, 30)
})
