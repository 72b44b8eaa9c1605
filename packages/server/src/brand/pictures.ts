// Draws what a brand is shown by: the logo as we encoded it, the icon of tabs and home screens, and the card of link
// previews. What was uploaded is decoded once, here, one picture at a time, and never served.
import { machineClock } from '@florin/platform/clock'
import { AppError } from '@florin/platform/errors'
import { makeTurns } from '@florin/platform/limits/turns'
import { LOGO_KEPT_SIDE, MAIL_LOGO } from '@florin/protocol'
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

/**
 * One picture at a time, and merchants in turn: what pictures take of memory and processors does not grow with who uploads,
 * and a merchant who uploads much delays no other.
 */
const turns = makeTurns(machineClock, {
  ...{ perHolder: 1, atOnce: 1, waitingPerHolder: 8, waitMs: 10_000, retryAfterS: 2 },
  message: 'Many pictures of this account are being drawn. Try again shortly.',
})
/** Whose the pictures of pages without a merchant are. */
const NOBODY = ''

/** @throws AppError invalid_picture */
export async function readLogo(bytes: Uint8Array, merchantId: string): Promise<Logo> {
  const header = readHeader(bytes)
  if (!header.ok) throw refused(header.why)
  const { width, height } = fitted(header, LOGO_KEPT_SIDE, LOGO_KEPT_SIDE)
  return turns.run(merchantId, async () => {
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
export async function drawCard(
  logo: Uint8Array | null,
  accent: string | null,
  merchantId = NOBODY,
): Promise<Uint8Array> {
  const colour = accent ?? INK
  if (logo === null) return turns.run(merchantId, () => ringed(CARD.width, CARD.height, colour))
  return turns.run(merchantId, () => placed(logo, { ...CARD, box: 360, colour: '#ffffff', stripe: colour }))
}

export const drawIcon = async (): Promise<Uint8Array> => turns.run(NOBODY, () => ringed(ICON, ICON, INK))

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

/** The rings of the mark, as shares of the shorter side: the distance of their middle from the centre, and half their width. */
const RINGS = [0.33, 0.22] as const
const HALF = 0.022

/** The mark of Florin, a coin of two rings, in the middle. Only pixels of the rings are worked out: all of them took 0.3 s. */
async function ringed(width: number, height: number, colour: string): Promise<Uint8Array> {
  const { Transformer } = await loadEngine()
  const pixels = canvasOf(width, height, colour)
  const light = rgbOf(PAPER)
  const side = Math.min(width, height)
  for (const ring of RINGS) {
    const [inner, outer] = [(ring - HALF) * side - 1, (ring + HALF) * side + 1]
    for (let y = 0; y < height; y++) {
      const dy = y - height / 2 + 0.5
      if (Math.abs(dy) > outer) continue
      const far = Math.sqrt(outer * outer - dy * dy)
      for (let x = Math.floor(width / 2 - far); x < width / 2 + far; x++) {
        const dx = x - width / 2 + 0.5
        const r = dx * dx + dy * dy
        if (r < inner * inner) continue
        // How far the pixel lies within the ring, as a share of one pixel: round without steps.
        const inside = ringAt(Math.sqrt(r) / side, ring, HALF, side)
        if (inside <= 0) continue
        const at = (y * width + x) * 4
        for (let i = 0; i < 3; i++) {
          const ground = pixels[at + i] ?? 0
          pixels[at + i] = Math.round(ground + ((light[i] ?? 0) - ground) * inside)
        }
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
  const one = new Uint32Array(new Uint8Array([r, g, b, 255]).buffer)[0] ?? 0
  new Uint32Array(pixels.buffer).fill(one, fromRow * width)
}
