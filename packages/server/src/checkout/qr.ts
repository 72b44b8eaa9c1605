// The QR code of the plain page: inline SVG in attributes only, so that no style is needed under the strict policy.
import { encode } from 'uqr'

/** Modules of white around the code, as the standard asks. */
const QUIET = 4

/** @param label already escaped @returns an SVG element; empty where the text is too long for any code */
export function qrSvg(text: string, label: string): string {
  let modules: boolean[][]
  try {
    modules = encode(text, { ecc: 'M', border: 0 }).data
  } catch {
    return ''
  }
  let path = ''
  modules.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue
      const from = x
      while (row[x + 1]) x++
      path += `M${from} ${y}h${x - from + 1}v1h-${x - from + 1}z`
    }
  })
  const side = modules.length + 2 * QUIET
  return (
    `<svg class="qr" viewBox="${-QUIET} ${-QUIET} ${side} ${side}" width="224" height="224" role="img" aria-label="${label}" ` +
    `shape-rendering="crispEdges"><rect x="${-QUIET}" y="${-QUIET}" width="${side}" height="${side}" fill="#fff"/>` +
    `<path d="${path}" fill="#000"/></svg>`
  )
}
