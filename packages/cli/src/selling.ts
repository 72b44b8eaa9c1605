// `florin links …` and `florin invoices …`: one call of the service each.
import { type Invoice, invoiceStatuses, PAGE_MAX, type PaymentLink } from '@florin/protocol'
import { type Call, type Command, serviceFlags } from './command.ts'
import { UsageFailure } from './failure.ts'
import { openClient, readSettings } from './settings.ts'
import { columns } from './terminal.ts'
import { readChoice, readWhole } from './words.ts'

export const clientOf = (call: Call) => openClient(readSettings(call))

const pageFlags = [
  { name: 'limit', value: 'N', about: '1 to 100; 20 where left out' },
  { name: 'cursor', value: 'CURSOR', about: 'the next page, as the page before printed it' },
]

const priceOf = (link: PaymentLink): string =>
  link.amount === null
    ? `${link.amount_min ?? 0} to ${link.amount_max ?? 'any'} ${link.currency}`
    : `${link.amount} ${link.currency}`

function showRows(
  call: Call,
  name: string,
  rows: readonly (readonly [string, string | null])[],
  whole: unknown,
): number {
  if (call.json) call.terminal.out(JSON.stringify(whole, null, 2))
  else {
    const told = rows.filter((row): row is [string, string] => row[1] !== null)
    for (const line of columns([[name, ''], ...told.map(([key, value]) => [`  ${key}`, value])]))
      call.terminal.out(line.trimEnd())
  }
  return 0
}

const showLink = (call: Call, link: PaymentLink): number =>
  showRows(
    call,
    link.id,
    [
      ['page', link.url],
      ['title', link.title],
      ['state', link.state],
      ['price', priceOf(link)],
      ['stock', link.stock === null ? null : `${link.stock_taken} of ${link.stock} taken`],
      ['paid', `${link.orders_paid} orders`],
      ['ends', link.ends_at],
    ],
    link,
  )

export const showInvoice = (call: Call, invoice: Invoice): number =>
  showRows(
    call,
    invoice.id,
    [
      ['number', invoice.number],
      ['status', invoice.status],
      ['total', `${invoice.total} ${invoice.currency}`],
      ['due', invoice.due_date],
      ['payer', invoice.payer_email ?? invoice.payer_name],
      ['page', invoice.url],
      ['pdf', invoice.pdf_url],
      ['paid by', invoice.paid_order_nos.join(', ') || null],
    ],
    invoice,
  )

export const createLinkCommand: Command = {
  name: 'links create',
  takes: [],
  about: 'Make a payment link: a page that many payers use',
  flags: [
    { name: 'title', value: 'TEXT', about: 'required; the heading of the page' },
    { name: 'amount', value: 'AMOUNT', about: 'such as 49.90; left out, the payer says it' },
    { name: 'min', value: 'AMOUNT', about: 'the least that a payer may say' },
    { name: 'max', value: 'AMOUNT', about: 'the most that a payer may say' },
    { name: 'currency', value: 'CODE', about: 'ISO 4217; USD where left out' },
    { name: 'description', value: 'TEXT', about: 'below the title' },
    { name: 'stock', value: 'N', about: 'how many there are' },
    { name: 'quantity', value: 'N', about: 'how many a payer may take at once' },
    { name: 'ends', value: 'TIME', about: 'such as 2026-12-31T22:00:00Z' },
    { name: 'ask-email', value: 'HOW', about: 'no, optional or required; the same for the two below' },
    { name: 'ask-name', value: 'HOW', about: 'the payer’s name' },
    { name: 'ask-note', value: 'HOW', about: 'a note to you' },
    { name: 'success-text', value: 'TEXT', about: 'shown once it is paid' },
    ...serviceFlags,
  ],
  examples: ['florin links create --title "Workshop" --amount 49.90 --currency EUR --stock 20 --ask-email required'],
  async run(call) {
    const title = call.text('title')
    if (title === undefined)
      throw new UsageFailure('--title is missing: florin links create --title "Workshop" --amount 49.90')
    const how = (name: string) => {
      const text = call.text(name)
      return text === undefined ? undefined : readChoice(`--${name}`, text, ['no', 'optional', 'required'] as const)
    }
    const link = await clientOf(call).paymentLinks.create({
      title,
      amount: call.text('amount'),
      amount_min: call.text('min'),
      amount_max: call.text('max'),
      currency: call.text('currency'),
      description: call.text('description'),
      stock: readWhole('--stock', call.text('stock'), 0, 10_000),
      quantity_max: readWhole('--quantity', call.text('quantity'), 1, 1_000),
      ends_at: call.text('ends'),
      ask_email: how('ask-email'),
      ask_name: how('ask-name'),
      ask_note: how('ask-note'),
      success_text: call.text('success-text'),
    })
    return showLink(call, link)
  },
}

export const listLinksCommand: Command = {
  name: 'links list',
  takes: [],
  about: 'List payment links, newest first',
  flags: [...pageFlags, ...serviceFlags],
  examples: ['florin links list'],
  async run(call) {
    const limit = readWhole('--limit', call.text('limit'), 1, PAGE_MAX)
    const page = await clientOf(call)
      .paymentLinks.list({ limit, cursor: call.text('cursor') })
      .page()
    if (call.json) call.terminal.out(JSON.stringify(page, null, 2))
    else {
      const rows = page.data.map((link) => [link.id, link.state, priceOf(link), link.title])
      for (const line of columns(rows)) call.terminal.out(line)
      if (page.data.length === 0) call.terminal.note('There is no payment link.')
      if (page.next_cursor !== null) call.terminal.note(`More: --cursor ${page.next_cursor}`)
    }
    return 0
  },
}

export const getLinkCommand: Command = {
  name: 'links get',
  takes: ['ID'],
  about: 'Show a payment link',
  flags: serviceFlags,
  examples: ['florin links get plk_01k6m3…'],
  async run(call) {
    const [id = ''] = call.args
    return showLink(call, await clientOf(call).paymentLinks.get(id))
  },
}

export const closeLinkCommand: Command = {
  name: 'links close',
  takes: ['ID'],
  about: 'Turn a payment link off; payments that were started go on',
  flags: serviceFlags,
  examples: ['florin links close plk_01k6m3…'],
  async run(call) {
    const [id = ''] = call.args
    return showLink(call, await clientOf(call).paymentLinks.change(id, { active: false }))
  },
}

export const listInvoicesCommand: Command = {
  name: 'invoices list',
  takes: [],
  about: 'List invoices, newest first',
  flags: [
    { name: 'status', value: 'STATUS', about: `one of ${invoiceStatuses.join(', ')}` },
    ...pageFlags,
    ...serviceFlags,
  ],
  examples: ['florin invoices list --status overdue'],
  async run(call) {
    const status = call.text('status')
    const page = await clientOf(call)
      .invoices.list({
        status: status === undefined ? undefined : readChoice('--status', status, invoiceStatuses),
        limit: readWhole('--limit', call.text('limit'), 1, PAGE_MAX),
        cursor: call.text('cursor'),
      })
      .page()
    if (call.json) call.terminal.out(JSON.stringify(page, null, 2))
    else {
      const rows = page.data.map((one) => [
        one.id,
        one.number,
        one.status,
        `${one.total} ${one.currency}`,
        one.due_date,
      ])
      for (const line of columns(rows)) call.terminal.out(line)
      if (page.data.length === 0) call.terminal.note('No invoice matches.')
      if (page.next_cursor !== null) call.terminal.note(`More: --cursor ${page.next_cursor}`)
    }
    return 0
  },
}

const invoiceAct = (name: 'get' | 'send' | 'void', about: string): Command => ({
  name: `invoices ${name}`,
  takes: ['ID'],
  about,
  flags: serviceFlags,
  examples: [`florin invoices ${name} inv_01k6m3…`],
  async run(call) {
    const [id = ''] = call.args
    return showInvoice(call, await clientOf(call).invoices[name](id))
  },
})

export const getInvoiceCommand = invoiceAct('get', 'Show an invoice')
export const sendInvoiceCommand = invoiceAct('send', 'Mail an invoice to its payer')
export const voidInvoiceCommand = invoiceAct('void', 'Take an invoice back that nobody has paid')
