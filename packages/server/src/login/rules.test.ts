import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@florin/platform/errors'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import fc from 'fast-check'
import {
  canonicalCode,
  codeWait,
  mayJoin,
  mayWarn,
  newCode,
  parseEmail,
  triesForCode,
  triesOfDay,
  type WrongTries,
} from './rules.ts'

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

test('however codes are asked for, no window has more than a minute, ten, twenty and thirty of them', () => {
  const asks = fc.array(
    fc.record({
      wait: fc.integer({ min: 0, max: 2 * MINUTE_MS }),
      who: fc.integer({ min: 0, max: 3 }),
      isKnown: fc.boolean(),
    }),
    { minLength: 50, maxLength: 300 },
  )
  fc.assert(
    fc.property(asks, (steps) => {
      const given: { who: number; at: number }[] = []
      let now = 0
      for (const step of steps) {
        now += step.wait
        const recent = given.filter((code) => code.at > now - HOUR_MS).reverse()
        const ofAsker = recent.filter((code) => code.who === step.who)
        const dates = (codes: typeof given): Date[] => codes.map((code) => at(code.at))
        const all = { ofAsker: dates(ofAsker), ofEmail: dates(recent), ofClient: dates(recent) }
        const wait = codeWait(all, step.isKnown, at(now))
        const isFree =
          ofAsker.length < 10 &&
          recent.length < 30 &&
          now - (ofAsker[0]?.at ?? -HOUR_MS) >= MINUTE_MS &&
          (step.isKnown || recent.length < 20)
        assert.equal(wait.ms === 0, isFree)
        if (wait.ms === 0) given.push({ who: step.who, at: now })
      }
    }),
    { numRuns: 200 },
  )
})

test('however many browsers guess, short codes of an email bear ten wrong tries in any 24 hours', () => {
  const moves = fc.array(
    fc.record({
      wait: fc.integer({ min: 0, max: 3 * HOUR_MS }),
      asker: fc.integer({ min: 0, max: 6 }),
      guesses: fc.integer({ min: 0, max: 7 }),
    }),
    { minLength: 20, maxLength: 120 },
  )
  fc.assert(
    fc.property(moves, (steps) => {
      let wrong: WrongTries | null = null
      let codes: { asker: number; left: number; until: number }[] = []
      const misses: number[] = []
      let now = 0
      for (const { wait, asker, guesses } of steps) {
        now += wait
        codes = codes.filter((code) => code.until > now && code.asker !== asker && code.left > 0)
        const triesLeftOfLive = codes.reduce((sum, code) => sum + code.left, 0)
        const left = triesForCode({ triesOfDay: triesOfDay(wrong, at(now)), triesLeftOfLive })
        const code = { asker, left, until: now + 10 * MINUTE_MS }
        codes.push(code)
        for (let n = 0; n < guesses && code.left > 0; n++) {
          code.left -= 1
          wrong = { tries: triesOfDay(wrong, at(now)) + 1, since: at(now), warnedAt: null }
          misses.push(now)
        }
        assert.ok(misses.filter((time) => time > now - DAY_MS).length <= 10)
      }
    }),
    { numRuns: 300 },
  )
  assert.equal(triesForCode({ triesOfDay: 0, triesLeftOfLive: 0 }), 5)
  assert.equal(triesForCode({ triesOfDay: 6, triesLeftOfLive: 1 }), 3)
  assert.equal(triesForCode({ triesOfDay: 10, triesLeftOfLive: 0 }), 0)
})

test('wrong tries are forgotten a day after the newest, and the owner hears of them once a day', () => {
  const wrong = { tries: 7, since: at(DAY_MS), warnedAt: at(HOUR_MS) }
  assert.equal(triesOfDay(wrong, at(2 * DAY_MS - 1)), 7)
  assert.equal(triesOfDay(wrong, at(2 * DAY_MS)), 0)
  assert.equal(mayWarn(wrong, at(DAY_MS + HOUR_MS - 1)), false)
  assert.equal(mayWarn(wrong, at(DAY_MS + HOUR_MS)), true)
  assert.equal(mayWarn(null, at(0)), true)
})

test('a long code has sixty bits and is read however it is typed', () => {
  const code = newCode(true, (bound) => bound - 1)
  assert.equal(code, 'ZZZZ-ZZZZ-ZZZZ')
  assert.match(
    newCode(true, (bound) => Math.floor(Math.random() * bound)),
    /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/,
  )
  assert.equal(canonicalCode(' zzzz zzzz-ZZZZ'), 'ZZZZZZZZZZZZ')
  assert.equal(
    newCode(false, () => 42),
    '000042',
  )
  assert.equal(canonicalCode('123456 '), '123456 ')
})
