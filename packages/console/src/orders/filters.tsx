// The filter above the list. It stands in the address bar, so a filtered list can be linked to.

import { type OrderStatus, orderStatuses } from '@florin/protocol'
import { Button, MultiSelect, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useChains } from '../chains.ts'
import { Icon } from '../ui/icon.tsx'
import { ZoneNote } from '../ui/time.tsx'
import classes from './orders.module.css'
import { isFiltered, type OrderSearch } from './search.ts'
import { statusWords } from './words.ts'

interface OrderFiltersProps {
  search: OrderSearch
  onChange: (search: OrderSearch) => void
}

/** Sets one part of the filter; without a value it is taken out. */
function withPart<K extends keyof OrderSearch>(search: OrderSearch, part: K, value: OrderSearch[K] | ''): OrderSearch {
  const { [part]: _, ...rest } = search
  return value === '' || value === undefined ? rest : { ...rest, [part]: value }
}

export function OrderFilters({ search, onChange }: OrderFiltersProps) {
  const chains = useChains()
  const [isOpen, setOpen] = useState(false)
  return (
    <search className={classes.filters} aria-label="Filter" data-open={isOpen ? true : undefined}>
      <TypedFilter
        type="search"
        label="Search orders"
        placeholder="Search"
        icon={<Icon name="search" size={15} />}
        className={classes.searchBox}
        value={search.q ?? ''}
        onChange={(q) => onChange(withPart(search, 'q', q))}
      />
      <Button
        variant="default"
        size="sm"
        className={classes.more}
        aria-expanded={isOpen}
        leftSection={<Icon name="filter" size={15} />}
        onClick={() => setOpen(!isOpen)}
      >
        Filter
      </Button>
      <MultiSelect
        aria-label="Status"
        placeholder={search.status === undefined ? 'Any status' : ''}
        data={orderStatuses.map((status) => ({ value: status, label: statusWords[status].label }))}
        value={search.status ?? []}
        clearable
        onChange={(values) => {
          const status = orderStatuses.filter((each): each is OrderStatus => values.includes(each))
          onChange(withPart(search, 'status', status.length === 0 ? undefined : status))
        }}
        className={classes.statusFilter}
      />
      <Select
        aria-label="Settles on"
        placeholder="Any chain"
        searchable
        clearable
        data={chains.list.map((chain) => ({ value: chain.id, label: chain.name }))}
        value={search.chain ?? null}
        onChange={(value) => onChange(withPart(search, 'chain', value ?? ''))}
        className={classes.chainFilter}
      />
      <TypedFilter
        label="Currency"
        placeholder="Currency"
        width={100}
        value={search.currency ?? ''}
        onChange={(code) => onChange(withPart(search, 'currency', code))}
      />
      <TypedFilter
        label="Dollars, at least"
        placeholder="Min. $"
        width={90}
        value={search.min ?? ''}
        onChange={(dollars) => onChange(withPart(search, 'min', dollars))}
      />
      <TypedFilter
        label="Dollars, at most"
        placeholder="Max. $"
        width={90}
        value={search.max ?? ''}
        onChange={(dollars) => onChange(withPart(search, 'max', dollars))}
      />
      <TextInput
        aria-label="Made on or after"
        type="date"
        leftSection="From"
        leftSectionWidth={50}
        classNames={{ section: classes.dateSide ?? '' }}
        value={search.from ?? ''}
        max={search.to}
        onChange={(event) => onChange(withPart(search, 'from', event.currentTarget.value))}
      />
      <TextInput
        aria-label="Made on or before"
        type="date"
        leftSection="To"
        leftSectionWidth={34}
        classNames={{ section: classes.dateSide ?? '' }}
        value={search.to ?? ''}
        min={search.from}
        onChange={(event) => onChange(withPart(search, 'to', event.currentTarget.value))}
      />
      <ZoneNote className={classes.zone} />
      {isFiltered(search) ? (
        <Button variant="subtle" color="gray" size="sm" onClick={() => onChange({})}>
          Clear
        </Button>
      ) : null}
    </search>
  )
}

interface TypedFilterProps {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  type?: 'search' | 'text'
  icon?: ReactNode
  width?: number
  className?: string | undefined
}

/** Tells what was typed when the typing rests. */
function TypedFilter({ label, placeholder, value, onChange, type = 'text', icon, width, className }: TypedFilterProps) {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const tell = useDebouncedCallback((next: string) => {
    told.current = next.trim()
    onChange(next.trim())
  }, 300)
  // A filter that comes from elsewhere (a link, "Clear") is shown; what is being typed is not overwritten.
  useEffect(() => {
    if (value !== told.current) {
      told.current = value
      setTyped(value)
    }
  }, [value])
  return (
    <TextInput
      type={type}
      aria-label={label}
      placeholder={placeholder}
      leftSection={icon}
      {...(width === undefined ? {} : { w: width })}
      {...(className === undefined ? {} : { className })}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        tell(event.currentTarget.value)
      }}
    />
  )
}
