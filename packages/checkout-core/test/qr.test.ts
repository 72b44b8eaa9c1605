// Promises: the drawn path is the code, module for module.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encode } from 'uqr'
import { drawQr } from '../src/qr.ts'

/** Paints a path of horizontal runs back into modules. */
function paint(path: string, size: number): boolean[][] {
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  for (const [, x = '', y = '', width = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    modules[Number(y)]?.fill(true, Number(x), Number(x) + Number(width))
  }
  return modules
}

test('what is drawn is the code of the text', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 300 }), (text) => {
      const drawing = drawQr(text)
      assert.ok(drawing)
      assert.deepEqual(paint(drawing.path, drawing.size), encode(text, { ecc: 'M', border: 0 }).data)
    }),
    { numRuns: 30 },
  )
})

test('a text that no code can hold is no code', () => {
  assert.equal(drawQr('x'.repeat(5000)), null)
})
