// Attributes that look needless and are not.

/** For boxes that scroll and hold nothing that can be focused: without it a keyboard cannot scroll them. */
export const reachable = { tabIndex: 0 } as const

/** A table's roles, said again for browsers that forget what a table is when its display changes. */
export const tableRoles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const
