// Words of the fields of chains, of the books and of what an operator is shown.

export const operationWords: Readonly<Record<string, string>> = {
  'Chain.id': 'What other calls take as a chain.',
  'Chain.aliases': 'Other names that are taken for it.',
  'Chain.caip2': 'Its CAIP-2 id. `null` where it has none.',
  'Chain.tx': 'Of a transaction. `null` where none is known.',
  'Chain.address': 'Of an address. `null` where none is known.',
  'Chain.in_address': 'The form of address that carries it. `null` where none does.',
  'Chain.rails': 'Which rails run here for it.',
  'Chain.rail': 'The name of the rail.',

  'BookDifference.booked': 'What the books say is held.',
  'BookDifference.found': 'What lies on the addresses.',
  'BookDifference.block': 'The block that it was read at. `null` where the chain has none.',
  'BookDifference.told_at': 'When it was listed. ISO 8601, UTC.',
  'BookDifference.resolved_at': 'When it was gone. `null` until then.',
  'BookDifference.merchant': 'Whose order it is, for operators. `null` where it is your own.',

  'Reconciliation.compared_since':
    'Every order that waits for no look was compared at this time or later. `null`: the first round over all orders is not over.',
  'Reconciliation.waiting':
    'Orders that closed or changed and were not compared since; 1000 stands for that many or more.',
  'Reconciliation.differences': 'Newest first.',

  'FeesOwed.month': 'Which month, of your time zone.',
  'FeesOwed.merchant': 'Who owes it, for operators. `null` where it is you.',
  'FeesOwed.orders': 'How many orders it is of.',
  'FeesOwed.amount': 'In the smallest unit.',
}
