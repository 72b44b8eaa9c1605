// Numbers of invoices in mails to payers: those of books are shown whole, a number to call is never readable.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { booksNumber } from './books-number.ts'
import { refuseAddressInNumber, unlinkedNumber } from './unlinked.ts'

const pick = <T>(...of: T[]) => fc.constantFrom(...of)
const digits = (form: RegExp) => fc.stringMatching(form)
/** As phones are numbered in North America, Germany, France, Spain, Britain and China. */
const phone = fc
  .oneof(
    digits(/^[2-9][0-9]{2}[2-9][0-9]{6}$/),
    digits(/^1[2-9][0-9]{2}[2-9][0-9]{6}$/),
    digits(/^0[1-9][0-9]{7,10}$/),
    digits(/^00[1-9][0-9]{8,11}$/),
    digits(/^[689][0-9]{8}$/),
    digits(/^1[3-9][0-9]{9}$/),
    digits(/^[2-9][0-9]{2}[1-9][0-9]{3}$/),
  )
  // A year that stands in a phone number is read as a year.
  // So are two years of business, and the zeros of an Argentinian invoice.
  .filter(
    (number) =>
      !/20[0-2]\d/.test(number) && !/^2[567]0/.test(number) && !/^(?:2526|2627|2728|00\d{2,3}00)/.test(number),
  )
const separator = pick(
  ...['-', '/', '.', ' ', '_', '#', '·', '\u2011', ' - ', '--', '|', ':', 'x', 'T', ' ext ', '~', '+'],
)
const before = pick('', 'PAYPAL-FRAUD-', 'call ', 'R/', 'INV-', 'RE 2026/', '2026-', 'Nr. ', '#')
/** Behind a year, `03` to begin with is March, and `27` the year of business. */
const isOfYear = (front: string, number: string): boolean => front.includes('2026') && /^(?:[01]|27)/.test(number)
const after = pick('', '-call-now', ' now', '-A', '/X')

const grouped = phone.chain((number) =>
  fc
    .tuple(fc.array(fc.boolean(), { minLength: number.length, maxLength: number.length }), separator)
    .map(([ends, sign]) => ({
      number,
      written: [...number].map((digit, n) => (n > 0 && ends[n] === true ? sign + digit : digit)).join(''),
    })),
)

test('invoice numbers: a phone number in any groups and with any signs is never shown', () => {
  fc.assert(
    fc.property(before, grouped, after, (front, { number, written }, back) => {
      fc.pre(!isOfYear(front, number))
      const shown = booksNumber(`${front}${written}${back}`, 2026)
      const left = shown.replace(/\D/g, '')
      assert.ok(left.length <= 4, `${front}${written}${back} → ${shown}`)
      assert.ok(left === '' || number.endsWith(left), shown)
    }),
    { numRuns: 2_000 },
  )
})

test('invoice numbers: a phone number is found in other digits and letters too', () => {
  for (const [number, shown] of [
    ['PAYPAL-FRAUD-1-800-555-0199', 'PAYPAL-FRAUD-…0199'],
    ['call 800-555-0199', 'call …0199'],
    ['0800.555.0199-call-now', '…0199-call-now'],
    ['R/800/555/0199', 'R/…0199'],
    ['8OO-555-OI99', '…0199'],
    ['８００５５５０１９９', '…0199'],
    ['⑧⓪⓪⑤⑤⑤⓪①⑨⑨', '…0199'],
    ['八〇〇五五五〇一九九', '…0199'],
    ['٨٠٠-٥٥٥-٠١٩٩', '…0199'],
    ['R800E555F0199', 'R…0199'],
    ['8OO-SSS-SZ34', '…5234'],
    ['9OO/5S5/ZZ34', '…2234'],
    ['Ⅷ00-ⅤⅤⅤ-0199', '…0199'],
    ['2026-800-555-0199', '…0199'],
    ['202-611-0042', '…0042'],
    ['2099-55501', '…5501'],
  ] as const) {
    assert.equal(unlinkedNumber(number, 2026), shown)
  }
})

test('invoice numbers: those of real books are shown whole', () => {
  const german = [
    'RE 2026/4711',
    'RE-2026-00042',
    'R-2026-0815',
    '4711/2026',
    '4711/26',
    'RG-20261127-003',
    '2026-11-0042',
  ]
  const more = [
    '27.11.2026-003',
    'KD10025-RE2026-01',
    '26-00123',
    'AR 26/0815',
    '202612345',
    '2026000017',
    'RNr. 10042',
  ]
  const french = [
    'FA-2026-0001',
    'FAC-2026-11-0042',
    'F2026-0042',
    'FA26-00123',
    'FC20261127-0001',
    'N° 2026/11/042',
    'FV-000123',
  ]
  const american = [
    'INV-2026-00123',
    'INV-00001234',
    'INV#1042',
    'SI-10042',
    '11/27/2026-003',
    '20261127-01',
    'PO 4711-2',
  ]
  const spanish = [
    'F26/000123',
    'A-2026-0001',
    '2026-A-00015',
    'FRA/2026/0042',
    'FACT-2026/T4/031',
    'S/26-0042',
    'R1-2026-007',
  ]
  const chinese = [
    'FP20261127001',
    'HT-2026-0015',
    '2026年第0042号',
    '〔2026〕第12号',
    'XS20261127-003',
    '京2026-0042',
    '二〇二六年第四二号',
  ]
  const indian = ['INV/2026-27/0042', 'GST/26-27/0042', '2026-27/INV/00123', 'INV-2026-2027-0042', 'TI/2025-26/1234']
  const argentinian = ['0001-00012345', '00001-00012345', 'FC A 0003-00000042', 'B0010-00123456']
  const others = ['Ausg.Nr.1', 'SS-2026-0042', 'S/26-0042', 'BZ-2026-00042', 'Rechn.Nr.12/2026']
  const numbers = [
    ...indian,
    ...argentinian,
    ...others,
    ...german,
    ...more,
    ...french,
    ...american,
    ...spanish,
    ...chinese,
  ]
  assert.ok(numbers.length >= 40)
  for (const number of numbers) {
    assert.equal(unlinkedNumber(number, 2026), number)
    refuseAddressInNumber(number, 'number')
  }
})
