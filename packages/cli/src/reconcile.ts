// `florin reconcile`: whether what orders have booked is what lies on their addresses, by the service's standing comparison.
import { PAGE_MAX } from '@florin/protocol'
import { type Command, serviceFlags } from './command.ts'
import { type BookDifference, formatUnits } from './sdk.ts'
import { openClient, readSettings } from './settings.ts'
import { columns } from './terminal.ts'
import { readChoice, readWhole } from './words.ts'

/** Something differs: a script that runs this every day has to notice. */
const DIFFERS = 1

const row = ({ order_no, chain, asset, decimals, ...line }: BookDifference): string[] => [
  line.told_at,
  order_no,
  `${asset} on ${chain}`,
  `booked ${formatUnits(line.booked, decimals)}`,
  `found ${formatUnits(line.found, decimals)}`,
  line.block === null ? '' : `block ${line.block}`,
  line.resolved_at === null ? 'open' : `ended ${line.resolved_at}`,
]

export const reconcileCommand: Command = {
  name: 'reconcile',
  takes: [],
  about: 'Compare the books of your orders with the chain',
  notes: [
    'The service compares all the time: received less settled, fee and refunded with what lies on the addresses of an',
    'order at a final block. It lists what differed at two final blocks. The exit code is 1 while a difference is open.',
  ],
  flags: [
    { name: 'status', value: 'STATUS', about: 'open or resolved; both where left out' },
    { name: 'limit', value: 'N', about: '1 to 100; 20 where left out' },
    { name: 'cursor', value: 'CURSOR', about: 'the next page, as the page before printed it' },
    ...serviceFlags,
  ],
  examples: ['florin reconcile', 'florin reconcile --status open --json'],
  async run(call) {
    const { terminal } = call
    const status = call.text('status')
    const client = openClient(readSettings(call))
    const found = await client.reconciliation({
      status: status === undefined ? undefined : readChoice('--status', status, ['open', 'resolved'] as const),
      limit: readWhole('--limit', call.text('limit'), 1, PAGE_MAX),
      cursor: call.text('cursor'),
    })
    const { differences, compared_since, waiting } = found
    if (call.json) terminal.out(JSON.stringify(found, null, 2))
    else {
      for (const line of columns(differences.data.map(row))) terminal.out(line)
      if (differences.data.length === 0) terminal.out('Books and chain agree.')
      if (compared_since !== null) terminal.note(`Every order was compared at ${compared_since} or later.`)
      if (waiting > 0) terminal.note(`${waiting} ${waiting === 1 ? 'order waits' : 'orders wait'} to be compared.`)
      if (differences.has_more) terminal.note(`More: --cursor ${differences.next_cursor}`)
    }
    return differences.data.some((line) => line.resolved_at === null) ? DIFFERS : 0
  },
}
