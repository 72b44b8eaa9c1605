import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { attachment } from './attachment.ts'

test('attachment: a file keeps its letters, and no name breaks the header or leaves the folder', () => {
  assert.equal(attachment('RE-17.pdf'), 'attachment; filename="RE-17.pdf"')
  assert.equal(
    attachment('Rechnung Ü-17.pdf'),
    `attachment; filename="Rechnung U-17.pdf"; filename*=UTF-8''Rechnung%20%C3%9C-17.pdf`,
  )
  assert.equal(
    attachment('发票 17.pdf'),
    `attachment; filename="_ 17.pdf"; filename*=UTF-8''%E5%8F%91%E7%A5%A8%2017.pdf`,
  )
  assert.equal(attachment('../../etc/"x'), 'attachment; filename=".._.._etc_x"')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
      const [, plain = '', coded = ''] =
        /^attachment; filename="([^"\\]*)"(?:; filename\*=UTF-8''([A-Za-z0-9%._~!-]*))?$/.exec(attachment(name)) ??
        assert.fail(name)
      assert.match(plain, /^[\x20-\x7e]*$/)
      for (const one of [plain, decodeURIComponent(coded)]) assert.doesNotMatch(one, /[\p{Cc}/\\:]/u)
    }),
  )
})
