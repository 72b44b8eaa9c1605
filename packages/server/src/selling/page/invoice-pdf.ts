// An invoice as PDF, with pdfkit. The font is DejaVu Sans: Latin, Greek, Cyrillic and most of what is near them. Letters it
// lacks (Chinese, Japanese, Korean) are boxes here and whole on the page; text from right to left is not reordered.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { drawQr, QUIET } from '@florin/checkout-core'
import { formatMoney, minorText } from '@florin/protocol'
import type { InvoicePage } from '../invoices/store.ts'
import { statusAt } from '../invoices/view.ts'
import { dateText } from './frame.ts'
import type { Look } from './look.ts'
import { sayIn } from './words/index.ts'

const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
const PLAIN = join(fonts, 'DejaVuSans.ttf')
const BOLD = join(fonts, 'DejaVuSans-Bold.ttf')

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
  const doc = new PDFDocument({ size: 'A4', margin: LEFT, font: PLAIN, info, lang: look.language, bufferPages: true })
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
  const day = (at: Date): string => dateText(at, language, false)
  const status = statusAt(invoice, now)
  const due = day(invoice.dueDate)
  const said = {
    ...{ open: say('due', { date: due }), overdue: say('overdue', { date: due }), processing: say('processing') },
    ...{
      paid: invoice.paidAt === null ? say('paid') : say('paid_on', { date: day(invoice.paidAt) }),
      void: say('void'),
    },
  }[status]

  if (logo !== null) doc.image(Buffer.from(logo), LEFT, 50, { fit: [120, 48] })
  doc
    .font(BOLD)
    .fontSize(20)
    .text(`${say('invoice')} ${invoice.number}`, LEFT, logo === null ? 56 : 112, { width: 483 })
  doc
    .font(PLAIN)
    .fontSize(10)
    .fillColor('#444')
    .text(`${say('issued', { date: day(invoice.createdAt) })}`, { width: 483 })
  doc.fillColor(status === 'overdue' || status === 'void' ? '#a01616' : '#444').text(said, { width: 483 })
  doc.fillColor('#000')

  const top = doc.y + 22
  const party = (word: 'from' | 'to', x: number, name: string | null, details: string | null): number => {
    if (name === null && details === null) return top
    doc.font(PLAIN).fontSize(8.5).fillColor('#666').text(say(word), x, top, { width: 225 }).fillColor('#000')
    if (name !== null)
      doc
        .font(BOLD)
        .fontSize(10)
        .text(name, x, doc.y + 2, { width: 225 })
    if (details !== null)
      doc
        .font(PLAIN)
        .fontSize(10)
        .text(details, x, doc.y + 2, { width: 225 })
    return doc.y
  }
  let y = Math.max(
    party('from', LEFT, brand.name, invoice.sellerDetails),
    party('to', 310, invoice.payerName, invoice.payerDetails),
  )
  y = header(doc, y + 26, say)
  doc.font(PLAIN).fontSize(9.5)
  for (const line of invoice.lines) {
    const height = doc.heightOfString(line.description, { width: 230 }) + 10
    if (y + height > BOTTOM) {
      doc.addPage()
      y = header(doc, 56, say)
      doc.font(PLAIN).fontSize(9.5)
    }
    doc.text(line.description, columns.item, y, { width: 230 })
    doc.text(line.quantity, columns.quantity, y, { width: 50, align: 'right' })
    doc.text(money(line.unit), columns.price, y, { width: 85, align: 'right' })
    doc.text(money(line.amount), columns.amount, y, { width: RIGHT - columns.amount, align: 'right' })
    y += height
    rule(doc, y - 5, '#ddd')
  }
  if (y > BOTTOM - 230) {
    doc.addPage()
    y = 56
  }
  const sum = (name: string, value: string, font: string): void => {
    doc
      .font(font)
      .fontSize(10)
      .text(name, columns.quantity - 60, y + 4, { width: 205 })
    doc.text(value, columns.amount - 40, y + 4, { width: RIGHT - columns.amount + 40, align: 'right' })
    y = Math.max(doc.y, y + 18)
  }
  if (invoice.taxLabel !== null) {
    sum(say('subtotal'), money(invoice.subtotalMinor), PLAIN)
    sum(
      `${invoice.taxLabel}${invoice.taxPercent === null ? '' : ` ${invoice.taxPercent} %`}`,
      money(invoice.taxMinor),
      PLAIN,
    )
  }
  sum(say('total'), money(invoice.totalMinor), BOLD)
  if (invoice.note !== null) {
    doc
      .font(PLAIN)
      .fontSize(9.5)
      .text(invoice.note, LEFT, y + 16, { width: 483 })
    y = doc.y
  }
  if (status === 'open' || status === 'overdue') payBox(doc, y + 22, look.url, say('scan'))
}

function header(doc: PDFKit.PDFDocument, y: number, say: ReturnType<typeof sayIn>): number {
  doc.font(BOLD).fontSize(8.5).fillColor('#444')
  doc.text(say('item'), columns.item, y, { width: 230 })
  doc.text(say('quantity'), columns.quantity - 20, y, { width: 70, align: 'right' })
  doc.text(say('unit_price'), columns.price, y, { width: 85, align: 'right' })
  doc.text(say('amount'), columns.amount, y, { width: RIGHT - columns.amount, align: 'right' })
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
  doc
    .font(BOLD)
    .fontSize(10)
    .fillColor('#000')
    .text(label, LEFT + side + 14, top + 14, { width: 360 })
  doc
    .font(PLAIN)
    .fontSize(9)
    .fillColor('#1f4fa8')
    .text(url, LEFT + side + 14, doc.y + 4, { width: 360, link: url })
  doc.fillColor('#000')
}
