// The page of a list of what is sold: its table, what stands in its place, and its pages.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Page as Rows } from '../api.ts'
import { LinkButton } from '../ui/link.tsx'
import { Page } from '../ui/page.tsx'
import { ErrorNote } from '../ui/state.tsx'
import { type Column, Pager, Table, type usePaging } from '../ui/table.tsx'
import type { Way } from './search.ts'

interface SoldListProps<T> {
  title: string
  lead: string
  label: string
  columns: readonly Column<T>[]
  list: UseQueryResult<Rows<T>>
  paging: ReturnType<typeof usePaging>
  /** What the button at the head makes. */
  way: Way
  make: string
  /** In the place of the table, with the same button. */
  empty: (make: ReactNode) => ReactNode
  filters?: ReactNode
}

export function SoldList<T extends { id: string }>(props: SoldListProps<T>) {
  const { list, paging } = props
  const make = (
    <LinkButton to="/sell" search={{ way: props.way }} size="sm">
      {props.make}
    </LinkButton>
  )
  return (
    <Page title={props.title} lead={props.lead} actions={make}>
      {props.filters}
      {list.isError ? (
        <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Table
          label={props.label}
          columns={props.columns}
          rows={list.data?.data}
          rowKey={(row) => row.id}
          isStale={list.isPlaceholderData}
          skeletonRows={4}
          empty={props.empty(make)}
        />
      )}
      <Pager paging={paging} page={list.data} />
    </Page>
  )
}
