// Words for the parameters of calls, and for the groups that calls stand in.

const parameters: Readonly<Record<string, string>> = {
  limit: 'How many to a page.',
  cursor: '`next_cursor` of the page before.',
  livemode: '`true`: live; `false`: test.',
  token: 'The token of the link.',
  id: 'Its id.',
  order_no: 'The number of the order.',
  chain: 'Id, alias or CAIP-2 id of a chain.',
  action: 'One of the `actions` of the item.',
  status: 'Only those that stand there.',
  event: 'Only those of this event.',
  endpoint_id: 'Only those to this endpoint.',
  external_id: 'Only those with this reference, whole.',
  settle_chain: 'Only those that settle there.',
  currency: 'Only those asked for in this currency.',
  amount_usd_from: 'Only those of so many dollars or more.',
  amount_usd_to: 'Only those of so many dollars or fewer.',
  payment_link_id: 'Only those that were started from this link.',
  invoice_id: 'Only those that were started from this invoice.',
  created_from: 'Only those made then or later. ISO 8601, such as 2026-01-31T00:00:00Z.',
  created_to: 'Only those made before. ISO 8601, such as 2026-01-31T00:00:00Z.',
  active: 'Only those that you keep open, or closed.',
  q: 'What to look for.',
  metric: 'Which figure.',
  bucket: 'How long one point is.',
  format: 'Always `csv`.',
  guardian: 'An address.',
  from: 'Where the range begins. ISO 8601.',
  to: 'Where the range ends. ISO 8601.',
}

export const parameterWords = (name: string): string => parameters[name] ?? 'Part of the call.'

const tags: Readonly<Record<string, string>> = {
  orders: 'What a payer pays: made by your server, settled to your receiving address.',
  selling: 'Payment links and invoices: pages to share.',
  events: 'Every change of an order, in the sequence of the commits.',
  deliveries: 'Webhooks on their way, with their attempts.',
  'webhook endpoints': 'Receivers of the account, which hear of every order of their mode.',
  webhooks: 'What Florin POSTs to your server.',
  chains: 'The catalogue of chains and assets.',
  test: 'With a test key: Florin plays payer and chain.',
  checkout: 'What the payer’s page reads and does, by the token of one order.',
  operation: 'For whoever runs it.',
}

export const tagWords = (tag: string): string =>
  tags[tag] ?? `Of the console${tag.startsWith('console: ') ? `: ${tag.slice('console: '.length)}` : ''}.`
