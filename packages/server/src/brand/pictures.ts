// Draws what a brand is shown by: the logo as we encoded it, the icon of tabs and home screens, and the card of link
// previews. What was uploaded is decoded once, here, one picture at a time, and never served.
import { LOGO_KEPT_SIDE, MAIL_LOGO } from '@florin/protocol'
import { AppError } from '../platform/errors.ts'
import { type PictureFault, readHeader } from './picture-header.ts'

export interface Logo {
  png: Uint8Array
  width: number
  height: number
  /** Twice as large as mails show it, for fine screens. */
  mail: Uint8Array
  icon: Uint8Array
}

/** Sides in pixels: icons of home screens; link previews, as Open Graph readers crop them. */
const ICON = 512
const CARD = { width: 1200, height: 630 } as const
const STRIPE = 28
/** The colour of shops that chose none. */
const INK = '#1b1b18'
const PAPER = '#f5f4f0'

const why: Readonly<Record<PictureFault | 'unreadable', string>> = {
  format: 'A logo is a PNG or WebP file; this is neither.',
  animated: 'A logo is a still picture; this one is animated.',
  too_large: 'A logo has at most 4096 pixels a side and 8 million in all.',
  too_small: 'A logo has at least 16 pixels a side.',
  broken: 'This picture is cut off or damaged. Save it again and try once more.',
  unreadable: 'This picture cannot be read. Save it again as PNG and try once more.',
}

const refused = (fault: keyof typeof why): AppError =>
  new AppError('invalid_picture', { param: 'logo', message: why[fault] })

/** Native code for the machine's kind; one that has none runs without logos. */
async function loadEngine() {
  try {
    return await import('@napi-rs/image')
  } catch (cause) {
    throw new AppError('unavailable', { message: 'Pictures cannot be processed on this kind of machine.', cause })
  }
}

/** Pictures that wait for their turn, at most: each is held in memory. */
const WAITING_MAX = 8
let turn: Promise<unknown> = Promise.resolve()
let waiting = 0

/** One at a time: what pictures take of memory and processors does not grow with who uploads. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= WAITING_MAX) throw new AppError('unavailable', { retryAfterS: 2 })
  waiting += 1
  const result = turn.then(work).finally(() => {
    waiting -= 1
  })
  turn = result.catch(() => undefined)
  return result
}

/** @throws AppError invalid_picture */
export async function readLogo(bytes: Uint8Array): Promise<Logo> {
  const header = readHeader(bytes)
  if (!header.ok) throw refused(header.why)
  const { width, height } = fitted(header, LOGO_KEPT_SIDE, LOGO_KEPT_SIDE)
  return inTurn(async () => {
    const { Transformer } = await loadEngine()
    let png: Uint8Array
    try {
      // Through plain pixels, so that nothing but them gets from one file into the other.
      const small = await new Transformer(header.bytes).resize(width, height).png()
      png = await plain(small, width, height)
    } catch (cause) {
      throw new AppError('invalid_picture', { param: 'logo', message: why.unreadable, cause })
    }
    const icon = await placed(png, { width: ICON, height: ICON, box: ICON * 0.86, colour: '#ffffff' })
    const inMail = fitted({ width, height }, MAIL_LOGO.width * 2, MAIL_LOGO.height * 2)
    const mail = await new Transformer(png).resize(inMail.width, inMail.height).png()
    return { png, width, height, mail, icon }
  })
}

/**
 * The card of link previews: the logo on white above a line in the accent; without a logo two rings on the accent.
 * @param logo as `readLogo` encoded it
 */
export async function drawCard(logo: Uint8Array | null, accent: string | null): Promise<Uint8Array> {
  const colour = accent ?? INK
  if (logo === null) return inTurn(() => ringed(CARD.width, CARD.height, colour))
  return inTurn(() => placed(logo, { ...CARD, box: 360, colour: '#ffffff', stripe: colour }))
}

export const drawIcon = async (): Promise<Uint8Array> => inTurn(() => ringed(ICON, ICON, INK))

function fitted(a: { width: number; height: number }, maxWidth: number, maxHeight: number) {
  const scale = Math.min(1, maxWidth / a.width, maxHeight / a.height)
  return { width: Math.max(1, Math.round(a.width * scale)), height: Math.max(1, Math.round(a.height * scale)) }
}

async function plain(encoded: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const { Transformer } = await loadEngine()
  const canvas = Transformer.fromRgbaPixels(new Uint8Array(width * height * 4), width, height)
  return canvas.composite(encoded, { left: 0, top: 0 }).png()
}

async function placed(
  png: Uint8Array,
  a: { width: number; height: number; box: number; colour: string; stripe?: string },
): Promise<Uint8Array> {
  const { Transformer } = await loadEngine()
  const size = await new Transformer(png).metadata()
  const wide = fitted(size, a.width * 0.86, a.box)
  const small = await new Transformer(png).resize(wide.width, wide.height).png()
  const base = canvasOf(a.width, a.height, a.colour)
  if (a.stripe !== undefined) fill(base, a.width, a.stripe, a.height - STRIPE)
  return Transformer.fromRgbaPixels(base, a.width, a.height).composite(small).png()
}

/** The mark of Florin, a coin of two rings, in the middle. */
async function ringed(width: number, height: number, colour: string): Promise<Uint8Array> {
  const { Transformer } = await loadEngine()
  const pixels = canvasOf(width, height, colour)
  const light = rgbOf(PAPER)
  const side = Math.min(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const r = Math.hypot(x - width / 2 + 0.5, y - height / 2 + 0.5) / side
      // How far the pixel lies within a ring, as a share of one pixel: round without steps.
      const inside = Math.max(ringAt(r, 0.33, 0.022, side), ringAt(r, 0.22, 0.022, side))
      if (inside <= 0) continue
      const at = (y * width + x) * 4
      for (let i = 0; i < 3; i++) {
        const ground = pixels[at + i] ?? 0
        pixels[at + i] = Math.round(ground + ((light[i] ?? 0) - ground) * inside)
      }
    }
  }
  return Transformer.fromRgbaPixels(pixels, width, height).png()
}

const ringAt = (r: number, radius: number, half: number, side: number): number =>
  Math.min(1, Math.max(0, (half - Math.abs(r - radius)) * side + 0.5))

const rgbOf = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

function canvasOf(width: number, height: number, colour: string): Uint8Array {
  const pixels = new Uint8Array(width * height * 4)
  fill(pixels, width, colour, 0)
  return pixels
}

function fill(pixels: Uint8Array, width: number, colour: string, fromRow: number): void {
  const [r = 0, g = 0, b = 0] = rgbOf(colour)
  for (let at = fromRow * width * 4; at < pixels.length; at += 4) pixels.set([r, g, b, 255], at)
}
