// Promises: what is signed is what independent tools sign; what is accepted is exactly that; every refusal says why.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  explainSignature,
  parseSignatureHeader,
  type SignatureVerdict,
  sign,
  signatureReasons,
  verify,
} from '../src/signature.ts'
import { explainSignature as explainInBrowser, verify as verifyOnWeb } from '../src/signature-web.ts'
import { checkVectors, explainVectors, signVectors } from './vectors.ts'

const secret = 'whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV'
const other = 'whsec_abcdefghijklmnopqrstuvwxyz012345'
const now = 1_760_000_000
const reasonOf = (verdict: SignatureVerdict) => {
  if (verdict.ok) return null
  return verdict.variant === null ? verdict.reason : `${verdict.reason}:${verdict.variant}`
}

for (const vector of signVectors) {
  test(`signs as Python and openssl do: ${vector.name}`, () => {
    assert.equal(sign(vector), vector.header)
    const { body, header, secrets, timestamp } = vector
    assert.deepEqual(verify({ body, header, secrets, now: timestamp }), { ok: true, timestamp, secretIndex: 0 })
  })
}

for (const vector of checkVectors) {
  test(`${vector.reason === null ? 'accepts' : `refuses with ${vector.reason}`}: ${vector.name}`, async () => {
    assert.equal(reasonOf(verify(vector)), vector.reason)
    assert.equal(reasonOf(await explainSignature(vector)), vector.reason)
  })
}

for (const vector of explainVectors) {
  test(`explains as ${vector.reason}: ${vector.name}`, async () => {
    const verdict = await explainSignature(vector)
    assert.equal(reasonOf(verdict), vector.reason)
    assert.equal(verify(vector).ok, false)
  })
}

test('the browser says the same as Node, sentence by sentence', async () => {
  for (const vector of [...checkVectors, ...explainVectors]) {
    assert.deepEqual(await explainInBrowser(vector), await explainSignature(vector), vector.name)
    assert.deepEqual(await verifyOnWeb(vector), verify(vector), vector.name)
  }
})

test('nothing on the way of the browser asks for Node', () => {
  const seen = new Set<string>()
  const visit = (url: URL) => {
    if (seen.has(url.href)) return
    seen.add(url.href)
    for (const [, specifier = ''] of readFileSync(url, 'utf8').matchAll(/from '([^']+)'/g)) {
      assert.ok(specifier.startsWith('./'), `${url.pathname} imports ${specifier}`)
      visit(new URL(specifier, url))
    }
  }
  visit(new URL('../src/signature-web.ts', import.meta.url))
  assert.equal(seen.size, 5)
})

test('the secret that fits is named by its place', () => {
  const body = Buffer.from('{}')
  const header = sign({ secrets: [secret], body, timestamp: now })
  assert.deepEqual(verify({ header, body, secrets: [other, secret], now }), {
    ok: true,
    timestamp: now,
    secretIndex: 1,
  })
})

test('whatever is signed is accepted, and no other body, time, secret or digest is', () => {
  const bytes = fc.uint8Array({ maxLength: 300 })
  const aSecret = fc.stringMatching(/^whsec_[0-9A-Za-z]{32}$/)
  const time = fc.integer({ min: 0, max: 4_000_000_000 })
  fc.assert(
    fc.property(
      bytes,
      aSecret,
      aSecret,
      time,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (body, one, two, t, at, flip) => {
        const header = sign({ secrets: [one], body, timestamp: t })
        assert.equal(verify({ header, body, secrets: [one], now: t }).ok, true)
        const changed =
          body.length === 0 ? Uint8Array.of(flip) : body.map((byte, n) => (n === at % body.length ? byte ^ flip : byte))
        assert.equal(reasonOf(verify({ header, body: changed, secrets: [one], now: t })), 'mismatch')
        assert.equal(
          reasonOf(verify({ header: header.replace(/\d+/, String(t + 1)), body, secrets: [one], now: t })),
          'mismatch',
        )
        const digits = header.slice(-64)
        const place = at % 64
        const digit = ((Number.parseInt(digits.charAt(place), 16) + 1 + (flip % 15)) % 16).toString(16)
        const forged = `${header.slice(0, -64)}${digits.slice(0, place)}${digit}${digits.slice(place + 1)}`
        assert.equal(reasonOf(verify({ header: forged, body, secrets: [one], now: t })), 'mismatch')
        if (one !== two) assert.equal(reasonOf(verify({ header, body, secrets: [two], now: t })), 'mismatch')
      },
    ),
  )
})

test('the tolerance counts both ways and to the second', () => {
  const body = Buffer.from('{}')
  const header = sign({ secrets: [secret], body, timestamp: now })
  fc.assert(
    fc.property(fc.integer({ min: -2_000, max: 2_000 }), fc.nat({ max: 1_500 }), (offset, toleranceSeconds) => {
      const verdict = verify({ header, body, secrets: [secret], now: now + offset, toleranceSeconds })
      const wanted = Math.abs(offset) <= toleranceSeconds ? null : offset > 0 ? 'stale' : 'future'
      assert.equal(reasonOf(verdict), wanted)
    }),
  )
})

test('a tolerance that is no number of seconds is refused, not taken for "any age"', () => {
  const input = {
    header: sign({ secrets: [secret], body: Buffer.of(), timestamp: now }),
    body: '',
    secrets: [secret],
    now,
  }
  assert.throws(() => verify({ ...input, toleranceSeconds: Number.NaN }), RangeError)
  assert.throws(() => verify({ ...input, toleranceSeconds: -1 }), RangeError)
})

test('no header, body or secret makes a check throw, and the search agrees with the check', async () => {
  const header = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom('t=', 't', 'v1=', 'v1', ',', '=', ' ', '1760000000', 'a'.repeat(64), '-', 'v2=x'))
      .map((parts) => parts.join('')),
    fc.array(fc.string()),
    fc.constantFrom(null, undefined, 5 as unknown as string, {} as unknown as string),
  )
  const body = fc.oneof(fc.string(), fc.uint8Array(), fc.json())
  await fc.assert(
    fc.asyncProperty(header, body, fc.array(fc.string(), { maxLength: 2 }), async (value, text, secrets) => {
      const input = { header: value, body: text, secrets, now }
      const verdict = verify(input)
      assert.equal(verdict.ok, false)
      assert.ok(signatureReasons.includes(verdict.reason))
      assert.match(verdict.message, /^[A-Z].{20,}[.?]$/)
      assert.equal((await explainSignature(input)).ok, false)
    }),
  )
})

test('JSON nested too deep for the stack is explained like every mismatch', async () => {
  const body = '['.repeat(50_000) + ']'.repeat(50_000)
  const verdict = await explainSignature({ header: `t=${now},v1=${'0'.repeat(64)}`, body, secrets: [secret], now })
  assert.equal(reasonOf(verdict), 'mismatch')
})

test('a body that is no raw body is named, whatever it is', () => {
  const header = sign({ secrets: [secret], body: Buffer.from('{}'), timestamp: now })
  for (const body of [{}, [], null, undefined, 5, true, new Map()]) {
    // As a caller without types does it: req.body in the place of the raw bytes.
    const input = { header, secrets: [secret], now, ...({ body } as unknown as { body: string }) }
    assert.equal(reasonOf(verify(input)), 'body_parsed')
  }
})

test('bytes are taken in every form that the runtimes give', () => {
  const body = Buffer.from('{"a":"é"}')
  const header = sign({ secrets: [secret], body, timestamp: now })
  const copy = new Uint8Array(body)
  for (const form of [body, copy, copy.buffer, new DataView(copy.buffer) as unknown as Uint8Array, body.toString()]) {
    assert.equal(verify({ header, body: form, secrets: [secret], now }).ok, true)
  }
})

test('a header that arrived twice is read as one, and two times in it are refused', () => {
  const body = Buffer.from('{}')
  const header = sign({ secrets: [secret], body, timestamp: now })
  assert.equal(verify({ header: [header], body, secrets: [secret], now }).ok, true)
  assert.equal(reasonOf(verify({ header: [header, header], body, secrets: [secret], now })), 'malformed_header')
})

test('no message repeats the secret or the key that was passed', async () => {
  const header = sign({ secrets: [secret], body: Buffer.from('{}'), timestamp: now })
  const key = `florin_live_${'Z'.repeat(38)}`
  for (const wrong of [key, `${key} `, `${secret} `, `"${secret}"`, other, secret.slice(0, 20)]) {
    const verdict = await explainSignature({ header, body: '{}', secrets: [wrong], now })
    const message = verdict.ok ? '' : verdict.message
    assert.ok(!message.includes('ZZZZ') && !message.includes(wrong.trim().slice(6, 18)), message)
  }
})

test('hints name a secret cut off, JSON cut off, a wrong encoding and sorted keys', async () => {
  const header = sign({ secrets: [secret], body: Buffer.from('{"z":1,"b":2,"a":"é"}'), timestamp: now })
  const messageFor = async (body: string | Buffer, secrets: string[]) => {
    const verdict = await explainSignature({ header, body, secrets, now })
    return verdict.ok ? '' : verdict.message
  }
  assert.match(await messageFor('{}', [secret.slice(0, 30)]), /30 characters where 38 belong/)
  assert.match(await messageFor('{"z":1,"b":2,"a', [secret]), /not complete JSON/)
  assert.match(await messageFor('{"z":1,"b":2,"a":"\ufffd"}', [secret]), /wrong encoding/)
  assert.match(await messageFor('{"a":"é","b":2,"z":1}', [secret]), /alphabetical order/)
  assert.match(await messageFor('', [secret]), /is empty/)
})

test('signing refuses what its caller must not ask', () => {
  const body = Buffer.of()
  assert.throws(() => sign({ secrets: [], body, timestamp: now }), RangeError)
  assert.throws(() => sign({ secrets: [''], body, timestamp: now }), RangeError)
  assert.throws(() => sign({ secrets: [secret, other, secret], body, timestamp: now }), RangeError)
  for (const timestamp of [now + 0.5, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => sign({ secrets: [secret], body, timestamp }), RangeError)
  }
})

test('a parsed header gives the time as written and the digests in lower case, in order', () => {
  const [a, b] = ['A'.repeat(64), 'b'.repeat(64)]
  assert.deepEqual(parseSignatureHeader(`t=007,v1=${a},v9=x,v1=${b}`), {
    ok: true,
    t: '007',
    timestamp: 7,
    v1: ['a'.repeat(64), b],
  })
})
