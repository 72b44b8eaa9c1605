// What an invoice adds up to, and what is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@florin/platform/errors'
import fc from 'fast-check'
import { parseInvoice, statusOf } from './rules.ts'

const now = new Date('2026-11-22T21:00:00Z')
const body = { due_date: '2026-12-06', lines: [{ description: 'Work', quantity: '7.5', unit_price: '80' }] }

test('lines, subtotal, tax and total are exact, and each rounding is up by less than a unit', () => {
  const invoice = parseInvoice(
    {
      ...{ ...body, currency: 'EUR', tax: { label: 'VAT', percent: '19' } },
      lines: [
        { description: 'Work', quantity: '7.5', unit_price: '80' },
        { description: 'Cable', quantity: 0.333, unit_price: '0.10' },
      ],
    },
    now,
    'UTC',
  )
  assert.deepEqual(
    invoice.lines.map(({ amount }) => amount),
    ['60000', '4'],
  )
  assert.deepEqual([invoice.subtotalMinor, invoice.taxMinor, invoice.totalMinor], [60_004n, 11_401n, 71_405n])
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 9_999 })), {
        minLength: 1,
        maxLength: 9,
      }),
      fc.integer({ min: 1, max: 99_999 }),
      (lines, percent) => {
        const made = parseInvoice(
          {
            ...{ ...body, currency: 'JPY', tax: { label: 'T', percent: `${percent / 1000}` } },
            lines: lines.map(([thousandths, unit]) => ({
              ...{
                description: 'x',
                quantity: `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`,
              },
              unit_price: unit,
            })),
          },
          now,
          'UTC',
        )
        for (const [n, [thousandths, unit]] of lines.entries()) {
          const over = BigInt(made.lines[n]?.amount ?? 0) * 1000n - BigInt(thousandths) * BigInt(unit)
          assert.ok(over >= 0n && over < 1000n)
        }
        const over = made.taxMinor * 100_000n - made.subtotalMinor * BigInt(percent)
        assert.ok(over >= 0n && over < 100_000n)
        assert.equal(made.totalMinor, made.subtotalMinor + made.taxMinor)
      },
    ),
    { numRuns: 60 },
  )
})

test('what cannot be an invoice is refused with the field at fault', () => {
  const line = body.lines[0]
  const cases: readonly (readonly [body: object, param: string])[] = [
    [{ due_date: '2026-02-31' }, 'due_date'],
    [{ due_date: '2026-11-21' }, 'due_date'],
    [{ due_date: 'tomorrow' }, 'due_date'],
    [{ currency: 'HRK' }, 'currency'],
    [{ lines: [{ ...line, quantity: 0 }] }, 'lines.0.quantity'],
    [{ lines: [{ ...line, quantity: '1.0005' }] }, 'lines.0.quantity'],
    [{ lines: [line, { ...line, unit_price: '-1' }] }, 'lines.1.unit_price'],
    [{ lines: [{ ...line, description: 'a\nb' }] }, 'lines.0.description'],
    [{ lines: [{ ...line, quantity: '900000', unit_price: '999999' }] }, 'lines'],
    [{ tax: { label: 'VAT' } }, 'tax'],
    [{ tax: { label: 'VAT', percent: 19, amount: 1 } }, 'tax'],
    [{ tax: { label: 'VAT', percent: 101 } }, 'tax.percent'],
    [{ number: 'evil.example' }, 'number'],
    [{ number: 'call +1 900 5550199' }, 'number'],
    [{ payer_email: 'ann' }, 'payer_email'],
    [{ settle_chain: 'nowhere' }, 'settle_chain'],
  ]
  for (const [more, param] of cases) {
    assert.throws(
      () => parseInvoice({ ...body, ...more } as Parameters<typeof parseInvoice>[0], now, 'UTC'),
      (error) => error instanceof AppError && error.param === param && error.entry.status === 422,
      JSON.stringify(more),
    )
  }
})

test('invoices: a number that reads as one of ours → 409, like one that is taken', () => {
  for (const number of ['INV-000001', 'TEST-000001', 'inv-7', 'ТEST-000050', 'INV\u2011000001', 'lNV-OOOOO1'])
    assert.throws(
      () => parseInvoice({ ...body, number } as Parameters<typeof parseInvoice>[0], now, 'UTC'),
      (error) =>
        error instanceof AppError &&
        /given out here/.test(error.message) &&
        error.param === 'number' &&
        error.entry.status === 409,
      number,
    )
})

test('invoices: a due date is a day of the zone of the merchant', () => {
  const due = (due_date: string, zone: string) =>
    parseInvoice({ ...body, due_date } as Parameters<typeof parseInvoice>[0], now, zone).dueDate.toISOString()
  assert.equal(due('2026-11-22', 'America/New_York'), '2026-11-22T00:00:00.000Z')
  assert.throws(() => due('2026-11-22', 'Asia/Tokyo'), /in the past/)
})

test('invoices: an unpaid one is overdue once its day has ended', () => {
  const at = { state: 'unpaid', dueDate: new Date('2026-11-22') } as const
  assert.equal(statusOf(at, '2026-11-22'), 'open')
  assert.equal(statusOf(at, '2026-11-23'), 'overdue')
  assert.equal(statusOf({ ...at, state: 'void' }, '2026-11-23'), 'void')
})
