// An invoice as PDF, with pdfkit. DejaVu Sans has Latin, Greek, Cyrillic and their neighbours; text with Chinese or Japanese
// letters is set in Noto Sans. Only the letters in use are embedded. Korean and emoji are boxes here and whole on the page;
// text from right to left is not reordered.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { drawQr, QUIET } from '@florin/checkout-core'
import { formatMoney, minorText } from '@florin/protocol'
import type { InvoicePage } from '../invoices/store.ts'
import { statusAt } from '../invoices/view.ts'
import { datesOf } from './frame.ts'
import type { Look } from './look.ts'
import { sayIn } from './words/index.ts'

const { resolve } = createRequire(import.meta.url)
const dejaVu = join(dirname(resolve('dejavu-fonts-ttf/package.json')), 'ttf')
// Its package.json is not exported; its entry is in `dist`.
const notoSans = join(dirname(resolve('@embedpdf/fonts-sc')), '../fonts')
const PLAIN = { western: join(dejaVu, 'DejaVuSans.ttf'), eastAsian: join(notoSans, 'NotoSansHans-Regular.otf') }
const BOLD = { western: join(dejaVu, 'DejaVuSans-Bold.ttf'), eastAsian: join(notoSans, 'NotoSansHans-Bold.otf') }
type Face = typeof PLAIN

/** Letters, punctuation and full-width forms that DejaVu Sans lacks and Noto Sans has. */
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uffef]/u

interface Style {
  face: Face
  size: number
}

/** Chooses the font for one text: pdfkit breaks lines and aligns within one font only. */
const styled = (doc: PDFKit.PDFDocument, { face, size }: Style, text: string): PDFKit.PDFDocument =>
  doc.font(EAST_ASIAN.test(text) ? face.eastAsian : face.western).fontSize(size)

/** Points of an A4 page. */
const LEFT = 56
const RIGHT = 539
const BOTTOM = 770
const columns = { item: LEFT, quantity: 300, price: 360, amount: 450 } as const

export interface PdfParts {
  invoice: InvoicePage
  look: Look
  now: Date
  logo: Uint8Array | null
}

export async function invoicePdf(parts: PdfParts): Promise<Buffer> {
  // With the first invoice: loading it is a tenth of the work of a start.
  const { default: PDFDocument } = await import('pdfkit')
  const { invoice, look } = parts
  const info = { Title: `${sayIn(look.language)('invoice')} ${invoice.number}`, CreationDate: invoice.createdAt }
  const doc = new PDFDocument({
    size: 'A4',
    margin: LEFT,
    font: PLAIN.western,
    info,
    lang: look.language,
    bufferPages: true,
  })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  draw(doc, parts)
  doc.end()
  return done
}

function draw(doc: PDFKit.PDFDocument, { invoice, look, now, logo }: PdfParts): void {
  const { language, brand } = look
  const say = sayIn(language)
  const money = (minor: bigint | string): string =>
    formatMoney(minorText(minor, invoice.exponent), invoice.currency, language)
  const dates = datesOf(look)
  const status = statusAt(invoice, now)
  const due = dates.due(invoice.dueDate)
  const said = {
    ...{ open: say('due', { date: due }), overdue: say('overdue', { date: due }), processing: say('processing') },
    ...{
      paid: invoice.paidAt === null ? say('paid') : say('paid_on', { date: dates.moment(invoice.paidAt) }),
      void: say('void'),
    },
  }[status]

  const write = (style: Style, text: string, x: number, top: number, options: PDFKit.Mixins.TextOptions): void => {
    styled(doc, style, text).text(text, x, top, options)
  }
  const wide = { width: RIGHT - LEFT }

  if (logo !== null) doc.image(Buffer.from(logo), LEFT, 50, { fit: [120, 48] })
  write({ face: BOLD, size: 20 }, `${say('invoice')} ${invoice.number}`, LEFT, logo === null ? 56 : 112, wide)
  doc.fillColor('#444')
  write({ face: PLAIN, size: 10 }, say('issued', { date: dates.day(invoice.createdAt) }), LEFT, doc.y, wide)
  doc.fillColor(status === 'overdue' || status === 'void' ? '#a01616' : '#444')
  write({ face: PLAIN, size: 10 }, said, LEFT, doc.y, wide)
  doc.fillColor('#000')

  const top = doc.y + 22
  const party = (word: 'from' | 'to', x: number, name: string | null, details: string | null): number => {
    if (name === null && details === null) return top
    const half = { width: 225 }
    doc.fillColor('#666')
    write({ face: PLAIN, size: 8.5 }, say(word), x, top, half)
    doc.fillColor('#000')
    if (name !== null) write({ face: BOLD, size: 10 }, name, x, doc.y + 2, half)
    if (details !== null) write({ face: PLAIN, size: 10 }, details, x, doc.y + 2, half)
    return doc.y
  }
  let y = Math.max(
    party('from', LEFT, brand.name, invoice.sellerDetails),
    party('to', 310, invoice.payerName, invoice.payerDetails),
  )
  y = header(doc, y + 26, say)
  const row = { face: PLAIN, size: 9.5 }
  for (const line of invoice.lines) {
    const height = styled(doc, row, line.description).heightOfString(line.description, { width: 230 }) + 10
    if (y + height > BOTTOM) {
      doc.addPage()
      y = header(doc, 56, say)
    }
    write(row, line.description, columns.item, y, { width: 230 })
    write(row, line.quantity, columns.quantity, y, { width: 50, align: 'right' })
    write(row, money(line.unit), columns.price, y, { width: 85, align: 'right' })
    write(row, money(line.amount), columns.amount, y, { width: RIGHT - columns.amount, align: 'right' })
    y += height
    rule(doc, y - 5, '#ddd')
  }
  if (y > BOTTOM - 230) {
    doc.addPage()
    y = 56
  }
  const sum = (name: string, value: string, face: Face): void => {
    const valueBox = { width: RIGHT - columns.amount + 40, align: 'right' } as const
    write({ face, size: 10 }, name, columns.quantity - 60, y + 4, { width: 205 })
    const nameEnd = doc.y
    write({ face, size: 10 }, value, columns.amount - 40, y + 4, valueBox)
    y = Math.max(nameEnd, doc.y, y + 18)
  }
  if (invoice.taxLabel !== null) {
    sum(say('subtotal'), money(invoice.subtotalMinor), PLAIN)
    const percent = invoice.taxPercent === null ? '' : ` ${invoice.taxPercent} %`
    sum(`${invoice.taxLabel}${percent}`, money(invoice.taxMinor), PLAIN)
  }
  sum(say('total'), money(invoice.totalMinor), BOLD)
  if (invoice.note !== null) {
    write(row, invoice.note, LEFT, y + 16, wide)
    y = doc.y
  }
  if (status === 'open' || status === 'overdue') payBox(doc, y + 22, look.url, say('scan'))
}

function header(doc: PDFKit.PDFDocument, y: number, say: ReturnType<typeof sayIn>): number {
  const write = (text: string, x: number, options: PDFKit.Mixins.TextOptions): void => {
    styled(doc, { face: BOLD, size: 8.5 }, text).text(text, x, y, options)
  }
  doc.fillColor('#444')
  write(say('item'), columns.item, { width: 230 })
  write(say('quantity'), columns.quantity - 20, { width: 70, align: 'right' })
  write(say('unit_price'), columns.price, { width: 85, align: 'right' })
  write(say('amount'), columns.amount, { width: RIGHT - columns.amount, align: 'right' })
  doc.fillColor('#000')
  rule(doc, y + 14, '#888')
  return y + 21
}

function rule(doc: PDFKit.PDFDocument, y: number, color: string): void {
  doc.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(color).stroke()
}

/** The address of the page, as code and as a link. */
function payBox(doc: PDFKit.PDFDocument, y: number, url: string, label: string): void {
  const side = 96
  const qr = drawQr(url)
  const isTooLow = y + side + 8 > BOTTOM + 20
  if (isTooLow) doc.addPage()
  const top = isTooLow ? 56 : y
  if (qr !== null) {
    doc.save()
    doc
      .translate(LEFT, top)
      .scale(side / (qr.size + 2 * QUIET))
      .translate(QUIET, QUIET)
      .path(qr.path)
      .fill('#000')
    doc.restore()
  }
  const beside = { width: 360 }
  doc.fillColor('#000')
  styled(doc, { face: BOLD, size: 10 }, label).text(label, LEFT + side + 14, top + 14, beside)
  doc.fillColor('#1f4fa8')
  styled(doc, { face: PLAIN, size: 9 }, url).text(url, LEFT + side + 14, doc.y + 4, { ...beside, link: url })
  doc.fillColor('#000')
}
