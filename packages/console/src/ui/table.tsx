// Every list: a real table that becomes a stack of cards where it is narrow, skeleton rows of the same height while
// it loads, and paging by cursor. Roles are written out because a card's display would take them away.
import { Button, Group, Skeleton, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { tableRoles } from './a11y.ts'
import { Icon } from './icon.tsx'
import classes from './table.module.css'

export interface Column<T> {
  key: string
  label: string
  cell: (row: T) => ReactNode
  align?: 'right'
  /** On a card: `title` is its first line, `end` stands beside it, `small` and `small-end` below; `hidden` is left out. */
  card?: 'title' | 'end' | 'small' | 'small-end' | 'hidden'
  width?: string
}

interface TableProps<T> {
  /** What the table holds, for those who do not see it. */
  label: string
  columns: readonly Column<T>[]
  /** Undefined while it is loading for the first time. */
  rows: readonly T[] | undefined
  rowKey: (row: T) => string
  /** Shown instead of the table when there are no rows. */
  empty: ReactNode
  skeletonRows?: number
  /** Older rows are shown while newer ones load. */
  isStale?: boolean
}

const skeletonKeys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']

export function Table<T>({ label, columns, rows, rowKey, empty, skeletonRows = 8, isStale }: TableProps<T>) {
  if (rows?.length === 0) return <div className={classes.frame}>{empty}</div>
  return (
    <div className={classes.frame} data-stale={isStale === true ? true : undefined}>
      <table {...tableRoles.table} className={classes.table} aria-label={label} aria-busy={rows === undefined}>
        <thead {...tableRoles.group}>
          <tr {...tableRoles.row}>
            {columns.map((column) => (
              <th
                key={column.key}
                {...tableRoles.head}
                scope="col"
                data-align={column.align}
                style={{ width: column.width }}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...tableRoles.group}>
          {rows === undefined
            ? skeletonKeys.slice(0, skeletonRows).map((key) => <SkeletonRow key={key} columns={columns} />)
            : rows.map((row) => (
                <tr key={rowKey(row)} {...tableRoles.row}>
                  {columns.map((column) => (
                    <td
                      key={column.key}
                      {...tableRoles.cell}
                      data-label={column.label}
                      data-align={column.align}
                      data-card={column.card}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}

function SkeletonRow<T>({ columns }: { columns: readonly Column<T>[] }) {
  return (
    <tr {...tableRoles.row}>
      {columns.map((column, n) => (
        <td
          key={column.key}
          {...tableRoles.cell}
          data-label={column.label}
          data-align={column.align}
          data-card={column.card}
        >
          <Skeleton height={12} width={n % 2 === 0 ? 96 : 64} display="inline-block" />
        </td>
      ))}
    </tr>
  )
}

export interface Paging {
  cursor: string | undefined
  /** 1 for the newest page. */
  page: number
  next: (cursor: string) => void
  previous: () => void
  first: () => void
}

/** Walks a list by its cursors; begins anew when `resetOn` (the filter, the mode) changes. */
export function usePaging(resetOn: string): Paging {
  const [state, setState] = useState<{ of: string; trail: readonly string[] }>({ of: resetOn, trail: [] })
  const trail = state.of === resetOn ? state.trail : []
  const go = (next: readonly string[]) => setState({ of: resetOn, trail: next })
  return {
    cursor: trail.at(-1),
    page: trail.length + 1,
    next: (cursor) => go([...trail, cursor]),
    previous: () => go(trail.slice(0, -1)),
    first: () => go([]),
  }
}

interface PagerProps {
  paging: Paging
  page: { has_more: boolean; next_cursor: string | null; data: readonly unknown[] } | undefined
}

export function Pager({ paging, page }: PagerProps) {
  const nextCursor = page?.has_more ? page.next_cursor : null
  if (paging.page === 1 && nextCursor === null) return null
  return (
    <Group component="nav" justify="space-between" aria-label="Pages" mt={12}>
      <Text size="xs" c="dimmed" aria-live="polite">
        Page {paging.page}
      </Text>
      <Group gap={8}>
        {paging.page > 2 ? (
          <Button variant="subtle" color="gray" onClick={paging.first}>
            First
          </Button>
        ) : null}
        <Button
          variant="default"
          disabled={paging.page === 1}
          onClick={paging.previous}
          leftSection={<Icon name="left" size={14} />}
        >
          Previous
        </Button>
        <Button
          variant="default"
          disabled={nextCursor === null}
          onClick={() => nextCursor !== null && paging.next(nextCursor)}
          rightSection={<Icon name="right" size={14} />}
        >
          Next
        </Button>
      </Group>
    </Group>
  )
}
