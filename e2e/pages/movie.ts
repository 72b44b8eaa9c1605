// `npm run shots -- movie`: the moving picture of README.md. Screens of a real checkout page, on a phone, from the choice of a coin to the
// receipt, in one SVG that needs nothing else: no script, no font, no other file.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Playground } from '../../packages/checkout/test/playground/server.ts'
import type { StateName } from '../../packages/checkout-core/test/states.ts'
import { visit } from './visitor.ts'

const target = join(import.meta.dirname, '../../docs/pictures/checkout-movie.svg')

/** The phone's screen: pixels of the page, of the drawing, and of the picture that is kept for sharp displays. */
const page = { width: 360, height: 720 }
const drawn = { width: 292, height: 584 }
const sharpness = 1.7
const WEBP_QUALITY = 0.82

interface Scene {
  state: StateName
  /** How long it is shown, s. */
  seconds: number
  /** The step at the side that the frame belongs to. */
  step: number
  /** The element that a finger taps at the scene's end. */
  tap?: (page: Page) => ReturnType<Page['locator']>
  /** The page is scrolled down to its QR code. */
  isScrolled?: boolean
}

const scenes: readonly Scene[] = [
  { state: 'choose', seconds: 3.2, step: 0, tap: (on) => on.getByText('USDC', { exact: true }).first() },
  { state: 'pay', seconds: 5, step: 1, isScrolled: true },
  { state: 'confirming', seconds: 3.2, step: 2 },
  { state: 'settling', seconds: 2.4, step: 2 },
  { state: 'paid', seconds: 4.2, step: 3 },
]

const steps: readonly (readonly [title: string, text: string])[] = [
  ['Choose', 'The payer picks a coin and a network.'],
  ['Pay', 'To an address of this order alone.'],
  ['Confirm', 'The network confirms the payment.'],
  ['Settled', 'The money is on your own address.'],
]

interface Frame {
  scene: Scene
  /** A data URL. */
  image: string
  /** The height of the drawn frame, in pixels. */
  height: number
  tap: { x: number; y: number } | null
}

const FADE_S = 0.45

/** Takes the pictures and writes the file. @returns its path. */
export async function drawMovie(browser: Browser, checkout: Playground): Promise<string> {
  const frames: Frame[] = []
  for (const scene of scenes) frames.push(await take(browser, checkout, scene))
  await writeFile(target, movieOf(frames))
  return target
}

async function take(browser: Browser, { origin }: Playground, scene: Scene): Promise<Frame> {
  const options = { viewport: page, deviceScaleFactor: (sharpness * drawn.width) / page.width, isMobile: true }
  const visitor = await visit(browser, [origin], { ...options, hasTouch: true, reducedMotion: 'reduce' })
  try {
    await visitor.page.goto(`${origin}/pay/${scene.state}`)
    await visitor.page.locator('.language').waitFor()
    const box = (await scene.tap?.(visitor.page).boundingBox()) ?? null
    const png = await visitor.page.screenshot({ fullPage: scene.isScrolled === true })
    const { image, height } = await asWebp(visitor.page, png)
    const scale = drawn.width / page.width
    return {
      ...{ scene, image, height: height / sharpness },
      tap: box === null ? null : { x: (box.x + box.width / 2) * scale, y: (box.y + box.height / 2) * scale },
    }
  } finally {
    await visitor.close()
  }
}

/** The browser's own encoder, on a page whose policy allows pictures from memory. */
async function asWebp(on: Page, png: Buffer): Promise<{ image: string; height: number }> {
  await on.goto('about:blank')
  return on.evaluate(
    async ({ source, quality }) => {
      const picture = new Image()
      picture.src = source
      await picture.decode()
      const canvas = document.createElement('canvas')
      canvas.width = picture.width
      canvas.height = picture.height
      canvas.getContext('2d')?.drawImage(picture, 0, 0)
      return { image: canvas.toDataURL('image/webp', quality), height: picture.height }
    },
    { source: `data:image/png;base64,${png.toString('base64')}`, quality: WEBP_QUALITY },
  )
}

const total = scenes.reduce((sum, { seconds }) => sum + seconds, 0)
const startOf = (scene: number): number => scenes.slice(0, scene).reduce((sum, { seconds }) => sum + seconds, 0)

/** Points in time, s, and what is true of something then; the file's own names for its animations count up. */
function animation(points: readonly (readonly [at: number, css: string])[]): { css: string; use: string } {
  const name = `a${++made}`
  const steps = points.map(([at, css]) => `${((at / total) * 100).toFixed(2)}%{${css}}`)
  return { css: `@keyframes ${name}{${steps.join('')}}`, use: `animation:${name} ${total}s linear infinite` }
}
let made = 0

const opacity = (value: number): string => `opacity:${value}`

/** Comes at a time and stays until the end of the loop. */
const appears = (at: number) =>
  animation([
    [0, opacity(0)],
    [at, opacity(0)],
    [at + FADE_S, opacity(1)],
    [total - FADE_S, opacity(1)],
    [total, opacity(0)],
  ])

/** Each screen comes over the one before and goes once the next one covers it; the first one lies below all. */
function covers(scene: number): { css: string; use: string } | null {
  if (scene === 0) return null
  if (scene === scenes.length - 1) return appears(startOf(scene))
  const gone = startOf(scene + 1) + FADE_S
  return animation([
    [0, opacity(0)],
    [startOf(scene), opacity(0)],
    [startOf(scene) + FADE_S, opacity(1)],
    [gone, opacity(1)],
    [gone + 0.01, opacity(0)],
    [total, opacity(0)],
  ])
}

/** A step is plain while its scenes last, and pale otherwise. */
function lights(step: number): { css: string; use: string } {
  const own = scenes.flatMap((scene, n) => (scene.step === step ? [n] : []))
  const from = startOf(own[0] ?? 0)
  const until = startOf((own.at(-1) ?? 0) + 1)
  const pale = opacity(0.38)
  const before: [number, string][] =
    from === 0
      ? [[0, opacity(1)]]
      : [
          [0, pale],
          [from, pale],
          [from + FADE_S, opacity(1)],
        ]
  const after: [number, string][] =
    until === total
      ? [
          [total - FADE_S, opacity(1)],
          [total, pale],
        ]
      : [
          [until, opacity(1)],
          [until + FADE_S, pale],
          [total - FADE_S, pale],
          [total, from === 0 ? opacity(1) : pale],
        ]
  return animation([...before, ...after])
}

const ink = '#1b1a17'
const sand = '#e9e4da'
const screenAt = { x: 64, y: 40 }
const aside = 424

function movieOf(frames: readonly Frame[]): string {
  made = 0
  const css: string[] = []
  const style = (of: { css: string; use: string } | null): string => {
    if (of === null) return ''
    css.push(of.css)
    return ` style="${of.use}"`
  }
  const screens = frames.map((frame, n) => `<g class="later"${style(covers(n))}>${screenOf(frame, n, style)}</g>`)
  const list = steps.map(([title, text], n) => {
    const y = 178 + n * 66
    // The line between the numbers does not show through a pale one.
    const ground = `<circle cx="${aside + 15}" cy="${y}" r="16" fill="${sand}"/>`
    return `${ground}<g${style(lights(n))}><circle cx="${aside + 15}" cy="${y}" r="15" fill="${ink}"/><text x="${aside + 15}" y="${y + 5}" class="n">${n + 1}</text><text x="${aside + 46}" y="${y - 3}" class="t">${title}</text><text x="${aside + 46}" y="${y + 18}" class="p">${text}</text></g>`
  })
  const lines = [
    ['POST /v1/orders', '120.50 USD', null],
    ['order.processing', 'signature verified', startOf(2) + 0.6],
    ['order.success', 'verified: ship it', startOf(4) + 0.6],
  ] as const
  const server = lines.map(([call, what, at], n) => {
    const y = 514 + n * 30
    // Out for a call, in for a webhook.
    const head = n === 0 ? 'm8 -4 4 4 -4 4' : 'm-8 -4 -4 4 4 4'
    const arrow = `<path d="M${aside + 22} ${y - 4.5}h12M${aside + (n === 0 ? 22 : 34)} ${y - 4.5}${head}" class="a"/>`
    const text = `<text x="${aside + 46}" y="${y}" class="c">${call}</text><text x="${aside + 378}" y="${y}" class="w">${what}</text>`
    return `<g${at === null ? '' : style(appears(at))}>${arrow}${text}</g>`
  })
  const body = `<rect width="880" height="664" rx="28" fill="${sand}"/>
<text x="${aside}" y="84" class="h">From checkout to your own address</text>
<text x="${aside}" y="114" class="p">The payer’s page, and what reaches your server.</text>
<path d="M${aside + 15} 178V376" stroke="${ink}" stroke-opacity=".18" stroke-width="2"/>
${list.join('\n')}
<rect x="${aside}" y="438" width="400" height="162" rx="16" fill="${ink}"/>
<text x="${aside + 22}" y="473" class="s">YOUR SERVER</text>
${server.join('\n')}
<rect x="${screenAt.x - 12}" y="${screenAt.y - 12}" width="${drawn.width + 24}" height="${drawn.height + 24}" rx="42" fill="#0f0e0c"/>
<clipPath id="screen"><rect x="${screenAt.x}" y="${screenAt.y}" width="${drawn.width}" height="${drawn.height}" rx="31"/></clipPath>
<g clip-path="url(#screen)"><rect x="${screenAt.x}" y="${screenAt.y}" width="${drawn.width}" height="${drawn.height}" fill="#f5f3ef"/>
${screens.join('\n')}</g>`
  const text = `text{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:${ink}}.h{font-size:21px;font-weight:700}.t{font-size:17px;font-weight:700}.p{font-size:15px;fill:#55514a}.n{font-size:14px;font-weight:700;fill:#fff;text-anchor:middle}.s{font-size:11px;font-weight:700;letter-spacing:1.2px;fill:#a39e93}.c,.w{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:13px;fill:#f4f1ea}.a{fill:none;stroke:#8fb8ff;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}.w{fill:#7ddba3;text-anchor:end}`
  // Still, for whoever wants no motion: the second screen, and every line.
  const still = '@media(prefers-reduced-motion:reduce){*{animation:none!important}.later+.later+.later,.tap{opacity:0}}'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 664" role="img" aria-label="A payer chooses USDC on Base, sees amount, address and QR code, then the confirmations and the receipt. Meanwhile the shop’s server gets the webhooks order.processing and order.success."><style>${text}${css.join('')}${still}</style>
${body}
</svg>
`
}

type Style = (of: { css: string; use: string } | null) => string

function screenOf({ scene, image, height, tap }: Frame, n: number, style: Style): string {
  const picture = `<image x="${screenAt.x}" y="${screenAt.y}" width="${drawn.width}" height="${height.toFixed(1)}" href="${image}"/>`
  if (tap !== null) return `${picture}${tapAt(tap, startOf(n) + scene.seconds, style)}`
  if (scene.isScrolled !== true) return picture
  const down = `transform:translateY(${(drawn.height - height).toFixed(1)}px)`
  const up = 'transform:translateY(0);animation-timing-function:ease-in-out'
  const scroll = animation([
    [0, up],
    [startOf(n) + 1.8, up],
    [startOf(n) + 3.2, down],
    [total, down],
  ])
  return `<g${style(scroll)}>${picture}</g>`
}

function tapAt({ x, y }: { x: number; y: number }, at: number, style: Style): string {
  const press = animation([
    [0, opacity(0)],
    [at - 1, opacity(0)],
    [at - 0.7, opacity(0.35)],
    [at - 0.1, opacity(0.35)],
    [at + 0.1, opacity(0)],
    [total, opacity(0)],
  ])
  return `<circle class="tap" cx="${(screenAt.x + x).toFixed(1)}" cy="${(screenAt.y + y).toFixed(1)}" r="17" fill="${ink}"${style(press)}/>`
}
