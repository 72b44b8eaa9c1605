import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { differingBuckets, rowDifferences, rowSums } from './rows.ts'

const aRow = fc.string({ maxLength: 12 }).map((text) => text.replaceAll('\n', '\\n'))
const someRows = fc.array(aRow, { maxLength: 30 })
const textOf = (rows: readonly string[]): Buffer => Buffer.from(rows.map((row) => `${row}\n`).join(''))

/** The text arrives cut into pieces of any length. */
function inPieces(text: Buffer, lengths: readonly number[], take: (chunk: Buffer) => void): void {
  let from = 0
  for (const length of lengths) {
    take(text.subarray(from, from + length))
    from += length
  }
  take(text.subarray(from))
}

const sumsOf = (rows: readonly string[], lengths: readonly number[] = []) => {
  const sums = rowSums()
  inPieces(textOf(rows), lengths, sums.data)
  return sums
}

test('rows: the same rows in another order and cut anywhere → equal', () => {
  const shuffled = someRows.chain((rows) =>
    fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }), fc.array(fc.nat(20))),
  )
  fc.assert(
    fc.property(shuffled, ([rows, others, lengths]) => {
      const [a, b] = [sumsOf(rows), sumsOf(others, lengths)]
      assert.equal(b.rows, rows.length)
      assert.equal(differingBuckets(a, b).size, 0)
    }),
  )
})

test('rows: other rows, or a row more often → which ones differ', () => {
  fc.assert(
    fc.property(someRows, someRows, fc.array(fc.nat(20)), (saved, found, lengths) => {
      const buckets = differingBuckets(sumsOf(saved), sumsOf(found))
      const [missing, added] = [[...saved], [...found]]
      for (const row of saved) {
        const [at, mine] = [added.indexOf(row), missing.indexOf(row)]
        if (at === -1) continue
        added.splice(at, 1)
        missing.splice(mine, 1)
      }
      assert.equal(buckets.size === 0, missing.length === 0 && added.length === 0)
      const differences = rowDifferences(buckets)
      inPieces(textOf(saved), lengths, differences.saved)
      inPieces(textOf(found), lengths, differences.found)
      assert.deepEqual(differences.missing().sort(), missing.sort())
      assert.deepEqual(differences.added().sort(), added.sort())
    }),
  )
})

test('rows: one row many times → counted', () => {
  for (const times of [2, 256, 65_536]) {
    assert.equal(differingBuckets(sumsOf(new Array(times).fill('row')), sumsOf([])).size, 1)
    assert.equal(differingBuckets(sumsOf(new Array(times).fill('row')), sumsOf(['row'])).size, 1)
  }
})

test('rows: two rows of one bucket → told apart', () => {
  const rows = new Map<number, string>()
  for (let n = 0; ; n++) {
    const [bucket = -1] = differingBuckets(sumsOf([`row ${n}`]), sumsOf([]))
    const other = rows.get(bucket)
    rows.set(bucket, `row ${n}`)
    if (other === undefined) continue
    assert.deepEqual([...differingBuckets(sumsOf([`row ${n}`]), sumsOf([other]))], [bucket])
    return
  }
})
