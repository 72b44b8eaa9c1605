// The list of tables that are partitioned by time.
import type { PartitionedTable } from '@florin/platform/db/partitions'

export const partitionedTables: readonly PartitionedTable[] = [
  { name: 'order_events', widthDays: 7 },
  { name: 'delivery_attempts', widthDays: 1 },
]
