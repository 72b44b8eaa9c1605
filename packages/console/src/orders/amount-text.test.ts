// Promises: an amount is read as its writer means it, or not at all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAmount } from './amount-text.ts'

test('points and commas are decimal signs, groups are understood where they cannot be anything else', () => {
  const read: [string, string][] = [
    ['49.90', '49.90'],
    ['49,90', '49.90'],
    [' 7 ', '7'],
    ['1.234,50', '1234.50'],
    ['1,234.50', '1234.50'],
    ['1,234,567', '1234567'],
    ["1'234.5", '1234.5'],
    ['1 234,5', '1234.5'],
    ['0,125', '0.125'],
    ['0.000001', '0.000001'],
  ]
  for (const [typed, amount] of read) assert.equal(parseAmount(typed), amount, typed)
})

test('prices of currencies with small units are longer than any in dollars', () => {
  assert.equal(parseAmount('15.500.000'), '15500000')
  assert.equal(parseAmount('15500000,50'), '15500000.50')
  assert.equal(parseAmount('1234567890123456'), null)
})

test('where there are no decimals a mark before three digits groups them', () => {
  for (const typed of ['1,500', '1.500', '1 500', '1500']) assert.equal(parseAmount(typed, 0), '1500', typed)
  assert.equal(parseAmount('15,00', 0), '15.00', 'judged by the digits of its currency')
})

test('what could mean two amounts, or none, is refused', () => {
  for (const typed of [
    '1,234',
    '1.234',
    '',
    '0',
    '0,00',
    '-5',
    '1e3',
    '12,34.5',
    '1,23,4.5',
    '.5',
    '5.',
    '1.2345678',
    '٤٩',
  ])
    assert.equal(parseAmount(typed), null, typed)
})
