// What a picture says of itself before anything decodes it: PNG or WebP, a still one, and how large it becomes. Pure.
// A few kilobytes can claim to be gigapixels, in each part that has a size of its own; so every part is looked at, and
// parts that are no picture (profiles, comments, animation) are left out of what is decoded.
import { LOGO_MAX_PIXELS, LOGO_MAX_SIDE, LOGO_MIN_SIDE } from '@florin/protocol'

export type PictureFault = 'format' | 'animated' | 'too_large' | 'too_small' | 'broken'

export type Header = { ok: true; bytes: Uint8Array; width: number; height: number } | { ok: false; why: PictureFault }

type Size = [width: number, height: number]

const fault = (why: PictureFault): Header => ({ ok: false, why })
const ascii = (view: Buffer, at: number, length = 4): string => view.toString('latin1', at, at + length)

/** Never throws, whatever the bytes are. */
export function readHeader(bytes: Uint8Array): Header {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.length >= 8 && view.readBigUInt64BE(0) === 0x89504e470d0a1a0an) return readPng(view)
  if (view.length >= 12 && ascii(view, 0) === 'RIFF' && ascii(view, 8) === 'WEBP') return readWebp(view)
  return fault('format')
}

function judged(bytes: Uint8Array, sizes: readonly Size[]): Header {
  const [first] = sizes
  if (first === undefined) return fault('broken')
  for (const [width, height] of sizes) {
    if (width > LOGO_MAX_SIDE || height > LOGO_MAX_SIDE || width * height > LOGO_MAX_PIXELS) return fault('too_large')
    if (width < LOGO_MIN_SIDE || height < LOGO_MIN_SIDE) return fault('too_small')
  }
  return { ok: true, bytes, width: first[0], height: first[1] }
}

/** The parts that make the picture; all else may hold text that unpacks to anything. */
const drawn: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

function readPng(view: Buffer): Header {
  const kept: Buffer[] = [view.subarray(0, 8)]
  const sizes: Size[] = []
  for (let at = 8; at < view.length; ) {
    if (at + 12 > view.length) return fault('broken')
    const length = view.readUInt32BE(at)
    const end = at + 12 + length
    if (end > view.length) return fault('broken')
    const kind = ascii(view, at + 4)
    if (kind === 'acTL') return fault('animated')
    if (kind === 'IHDR') {
      if (length !== 13 || sizes.length > 0) return fault('broken')
      sizes.push([view.readUInt32BE(at + 8), view.readUInt32BE(at + 12)])
    }
    if (drawn.has(kind)) kept.push(view.subarray(at, end))
    at = end
    if (kind === 'IEND') return judged(Buffer.concat(kept), sizes)
  }
  return fault('broken')
}

function readWebp(view: Buffer): Header {
  const sizes: Size[] = []
  const end = Math.min(view.length, 8 + view.readUInt32LE(4))
  for (let at = 12; at + 8 <= end; ) {
    const kind = ascii(view, at)
    const length = view.readUInt32LE(at + 4)
    const data = at + 8
    if (data + length > end) return fault('broken')
    if (kind === 'ANIM' || kind === 'ANMF') return fault('animated')
    if (kind === 'VP8X' || kind === 'VP8 ' || kind === 'VP8L') {
      if (length < 10) return fault('broken')
      sizes.push(webpSize(view, kind, data))
    }
    at = data + length + (length % 2)
  }
  return judged(view.subarray(0, end), sizes)
}

/** RFC 9649, sections 2.7, 3.4; RFC 6386, section 9.1. */
function webpSize(view: Buffer, kind: 'VP8X' | 'VP8 ' | 'VP8L', data: number): Size {
  if (kind === 'VP8X') return [view.readUIntLE(data + 4, 3) + 1, view.readUIntLE(data + 7, 3) + 1]
  if (kind === 'VP8 ') return [view.readUInt16LE(data + 6) & 0x3fff, view.readUInt16LE(data + 8) & 0x3fff]
  const bits = view.readUInt32LE(data + 1)
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}
