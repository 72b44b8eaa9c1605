// Promises: whatever accent a merchant chooses, buttons can be seen on the page and read, in both themes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { brandColors, contrastOf } from '../src/brand.ts'

const hex = (n: number): string => `#${n.toString(16).padStart(6, '0')}`
const grounds = { light: ['#ffffff', '#f5f4f0'], dark: ['#131311', '#1d1d1a'] }

test('contrast is that of WCAG', () => {
  assert.equal(contrastOf('#000000', '#ffffff'), 21)
  // https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum: #767676 on white is the lightest grey that passes.
  assert.ok(contrastOf('#767676', '#ffffff') >= 4.5 && contrastOf('#777777', '#ffffff') < 4.5)
})

test('every accent is readable on itself and stands out from the page', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (n) => {
      const colors = brandColors(hex(n))
      for (const theme of ['light', 'dark'] as const) {
        const { press, on_press: on } = colors[theme]
        assert.match(press, /^#[0-9a-f]{6}$/)
        assert.ok(contrastOf(press, on) >= 4.5, `${hex(n)}: ${press} ${on}`)
        for (const ground of grounds[theme]) assert.ok(contrastOf(press, ground) >= 3, `${hex(n)}: ${press} ${ground}`)
      }
    }),
    { numRuns: 300 },
  )
})

test('an accent that can be seen and read stays as it is', () => {
  assert.equal(brandColors('#1d5fd6').light.press, '#1d5fd6')
  assert.equal(brandColors('#8ab4ff').dark.press, '#8ab4ff')
})
