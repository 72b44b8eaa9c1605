// How a merchant's accent colour is shown (contract.md 4.6): darkened or lightened as far as it takes to be seen on the
// page and to be read on. Pure.

/** The colour of buttons, and of the text on them. */
export interface PressColors {
  press: string
  on_press: string
}

export interface BrandColors {
  light: PressColors
  dark: PressColors
}

/** WCAG 2.2: text needs 4.5:1 (1.4.3), the shape of a control 3:1 against what is beside it (1.4.11). */
const TEXT_CONTRAST = 4.5
const SHAPE_CONTRAST = 3

/** What the accent lies on: page and card of the checkout in both themes. */
const grounds = { light: ['#ffffff', '#f5f4f0'], dark: ['#131311', '#1d1d1a'] } as const

type Rgb = readonly [number, number, number]

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as never

const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance, WCAG 2.2. */
function luminanceOf(hex: string): number {
  const [r, g, b] = rgbOf(hex).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** 1 to 21. @param a `#rrggbb` */
export function contrastOf(a: string, b: string): number {
  const [low = 0, high = 0] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

/**
 * The accent itself where it can be seen and read on; else the nearest shade of it that can.
 * @param accent `#rrggbb`, as `parseAccent` returns it
 * @example brandColors('#ffd400').light // { press: '#a68a00', on_press: '#000000' }
 */
export function brandColors(accent: string): BrandColors {
  return { light: shadeFor(accent, grounds.light, 0), dark: shadeFor(accent, grounds.dark, 255) }
}

const STEPS = 64

function shadeFor(accent: string, ground: readonly string[], towards: 0 | 255): PressColors {
  const rgb = rgbOf(accent)
  for (let step = 0; ; step++) {
    const press = hexOf(rgb.map((part) => part + ((towards - part) * step) / STEPS) as never)
    const on_press = contrastOf(press, '#ffffff') >= TEXT_CONTRAST ? '#ffffff' : '#000000'
    const isSeen = ground.every((other) => contrastOf(press, other) >= SHAPE_CONTRAST)
    if ((isSeen && contrastOf(press, on_press) >= TEXT_CONTRAST) || step === STEPS) return { press, on_press }
  }
}
