// One path of horizontal runs, so that a code is one element and needs no inline style.
import { encode } from 'uqr'

/** Modules of white around the code, as the standard asks. */
export const QUIET = 4

export interface QrDrawing {
  /** Modules a side, without the quiet zone. */
  size: number
  /** SVG path data in module units. */
  path: string
}

/**
 * A bare address of Bitcoin means the same in capitals, which take a smaller code. No other chain's: several wallets
 * refuse Litecoin's in capitals, and a link keeps its letters, since some read its scheme or address as they stand.
 */
const dense = (text: string): string => (/^bc1[02-9ac-hj-np-z]{11,87}$/.test(text) ? text.toUpperCase() : text)

/** @returns null where the text is too long for any code */
export function drawQr(text: string): QrDrawing | null {
  try {
    const { data, size } = encode(dense(text), { ecc: 'M', border: 0 })
    let path = ''
    data.forEach((row, y) => {
      for (let x = 0; x < size; x++) {
        if (!row[x]) continue
        const from = x
        while (row[x + 1]) x++
        path += `M${from} ${y}h${x - from + 1}v1h-${x - from + 1}z`
      }
    })
    return { size, path }
  } catch {
    return null
  }
}
