// `florin invoices create`: lines as they are typed, and the rest by its option.
import { type Command, serviceFlags } from './command.ts'
import { UsageFailure } from './failure.ts'
import { clientOf, showInvoice } from './selling.ts'

const LINE = '"Consulting = 7.5 x 80"'

/** The options that are sent under the name of the field, text as it is. */
const texts = [
  ['currency', 'currency', 'CODE', 'ISO 4217; USD where left out'],
  ['to', 'payer_email', 'EMAIL', 'whom it is for'],
  ['payer', 'payer_name', 'TEXT', 'the client’s name'],
  ['payer-details', 'payer_details', 'TEXT', 'the client’s address and numbers'],
  ['seller-details', 'seller_details', 'TEXT', 'yours'],
  ['note', 'note', 'TEXT', 'below the total'],
  ['number', 'number', 'TEXT', 'your own; left out, the next one without a gap'],
  ['external-id', 'external_id', 'ID', 'your own reference'],
] as const

export const createInvoiceCommand: Command = {
  name: 'invoices create',
  takes: [],
  about: 'Make an invoice: lines, a tax, a day, a page and a PDF',
  flags: [
    { name: 'line', value: 'LINE', many: true, about: `such as ${LINE}, or "Hosting = 20" for one` },
    { name: 'due', value: 'DAY', about: 'required; such as 2026-12-31' },
    { name: 'tax', value: 'TAX', about: 'such as "VAT = 19%", or "Stamp = 2" for an amount' },
    ...texts.map(([name, , value, about]) => ({ name, value, about })),
    { name: 'send', about: 'mail it at once' },
    { name: 'idempotency-key', value: 'KEY', about: 'the same key makes the same invoice, however often it is run' },
    ...serviceFlags,
  ],
  examples: [
    'florin invoices create --line "Consulting = 7.5 x 80" --tax "VAT = 19%" --due 2026-12-31 --currency EUR --to ann@client.example --send',
  ],
  async run(call) {
    const due = call.text('due')
    const lines = call.texts('line').map(readLine)
    if (due === undefined || lines.length === 0) {
      throw new UsageFailure(
        `An invoice needs --line and --due: florin invoices create --line ${LINE} --due 2026-12-31`,
      )
    }
    const tax = call.text('tax')
    const invoice = await clientOf(call).invoices.create(
      {
        ...Object.fromEntries(texts.map(([name, field]) => [field, call.text(name)])),
        lines,
        due_date: due,
        tax: tax === undefined ? undefined : readTax(tax),
        send: call.isOn('send') ? true : undefined,
      },
      { idempotencyKey: call.text('idempotency-key') },
    )
    return showInvoice(call, invoice)
  },
}

/** The last `=` divides: a description may have others. */
function halves(option: string, text: string, example: string): [name: string, value: string] {
  const at = text.lastIndexOf('=')
  const [name, value] = [text.slice(0, Math.max(0, at)).trim(), text.slice(at + 1).trim()]
  if (at < 1 || name === '' || value === '') throw new UsageFailure(`${option} takes ${example}.`)
  return [name, value]
}

function readLine(text: string) {
  const [description, value] = halves('--line', text, LINE)
  const [, quantity, price = ''] = /^(?:([\d.]+)\s*[x×*]\s*)?([\d.]+)$/.exec(value) ?? []
  if (price === '') throw new UsageFailure(`--line takes ${LINE}: a quantity, an x, and the price of one.`)
  return { description, unit_price: price, quantity: quantity ?? '1' }
}

function readTax(text: string) {
  const [label, value] = halves('--tax', text, '"VAT = 19%"')
  const [, number = '', sign] = /^([\d.]+)\s*(%?)$/.exec(value) ?? []
  if (number === '') throw new UsageFailure('--tax takes "VAT = 19%", or "Stamp = 2" for an amount.')
  return sign === '%' ? { label, percent: number } : { label, amount: number }
}
