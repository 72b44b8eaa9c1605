// Promises: nothing is decoded before its size is known in every part; whatever bytes come, there is an answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { LOGO_MAX_SIDE } from '@florin/protocol'
import fc from 'fast-check'
import { readHeader } from './picture-header.ts'

const u32 = (n: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(n)
  return bytes
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  return Buffer.concat([u32(data.length), body, u32(crc32(body))])
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const ihdr = (width: number, height: number): Buffer =>
  chunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from([8, 6, 0, 0, 0])]))
const png = (width: number, height: number, ...more: Buffer[]): Buffer =>
  Buffer.concat([signature, ihdr(width, height), ...more, chunk('IEND', Buffer.alloc(0))])

function webp(...parts: [kind: string, data: Buffer][]): Buffer {
  const body = parts.map(([kind, data]) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(data.length)
    return Buffer.concat([Buffer.from(kind, 'latin1'), length, data, Buffer.alloc(data.length % 2)])
  })
  const all = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...body])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(all.length)
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), length, all])
}

const lossless = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(12, 0)
  bytes[0] = 0x2f
  bytes.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 1)
  return bytes
}

const canvas = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(10)
  bytes.writeUIntLE(width - 1, 4, 3)
  bytes.writeUIntLE(height - 1, 7, 3)
  return bytes
}

const whyOf = (bytes: Uint8Array): string => {
  const header = readHeader(bytes)
  return header.ok ? `${header.width}×${header.height}` : header.why
}

test('sizes are read from the header, and what would become too large is refused by it', () => {
  assert.equal(whyOf(png(300, 100)), '300×100')
  assert.equal(whyOf(png(60_000, 60_000)), 'too_large')
  assert.equal(whyOf(png(4_000, 4_000)), 'too_large')
  assert.equal(whyOf(png(LOGO_MAX_SIDE + 1, 20)), 'too_large')
  assert.equal(whyOf(png(0, 0)), 'too_small')
  assert.equal(whyOf(webp(['VP8L', lossless(300, 100)])), '300×100')
  assert.equal(whyOf(webp(['VP8L', lossless(16_000, 16_000)])), 'too_large')
})

test('a small canvas does not hide a large picture, nor a first header a second', () => {
  assert.equal(whyOf(webp(['VP8X', canvas(64, 64)], ['VP8L', lossless(16_000, 16_000)])), 'too_large')
  assert.equal(whyOf(png(64, 64, ihdr(60_000, 60_000))), 'broken')
})

test('moving pictures, other formats and cut files are named as such', () => {
  assert.equal(whyOf(png(64, 64, chunk('acTL', Buffer.alloc(8)))), 'animated')
  assert.equal(whyOf(webp(['VP8X', canvas(64, 64)], ['ANIM', Buffer.alloc(6)])), 'animated')
  assert.equal(whyOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'format')
  assert.equal(whyOf(png(64, 64).subarray(0, -3)), 'broken')
})

test('texts and profiles, which unpack to anything, are left out of what is decoded', () => {
  const header = readHeader(png(64, 64, chunk('zTXt', Buffer.alloc(500)), chunk('iCCP', Buffer.alloc(500))))
  assert.ok(header.ok && header.bytes.length === png(64, 64).length)
})

test('whatever the bytes are, there is an answer', () => {
  const starts = [Buffer.alloc(0), signature, png(64, 64), webp(['VP8X', canvas(64, 64)]).subarray(0, 20)]
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 80 }), (start, rest) => {
      const header = readHeader(Buffer.concat([start, rest]))
      assert.equal(typeof header.ok, 'boolean')
    }),
  )
})
