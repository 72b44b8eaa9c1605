// The choice of a chain among all there are: by name, id, coin or family.
import { Button, Select, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { type Chain, carriesLive, useChains } from '../chains.ts'
import { Badge } from '../ui/badge.tsx'
import { ChainIcon } from '../ui/chain-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { Empty, Lines } from '../ui/state.tsx'
import classes from './addresses.module.css'
import { useAddresses } from './queries.ts'
import { familyName, matchesChain } from './words.ts'

/** What is shown at first, as far as there is such a chain: what most people look for. The others are a word or a click away. */
const sought = 'eth base btc sol tron bsc arb op pol ton xrp ltc doge avax near stellar cardano sui'.split(' ')

const rank = (id: string): number => (sought.includes(id) ? sought.indexOf(id) : sought.length)
const bySought = (a: { id: string }, b: { id: string }) => rank(a.id) - rank(b.id)

export function ChainGrid({ onChoose }: { onChoose: (chain: string) => void }) {
  const { list } = useChains()
  const set = new Set(useAddresses().data?.data.map((address) => address.chain))
  const [query, setQuery] = useState('')
  const [family, setFamily] = useState<string | null>(null)
  const [isAll, setAll] = useState(false)
  const families = [...new Set(list.map((chain) => familyName(chain.family)))].sort()
  const shown = list.filter(
    (chain) => matchesChain(chain, query) && (family === null || familyName(chain.family) === family),
  )
  const isLooking = query.trim() !== '' || family !== null
  const listed =
    isAll || isLooking ? shown : shown.filter((chain) => sought.includes(chain.id) || carriesLive(chain)).sort(bySought)
  const groups = [
    {
      title: 'Real money',
      note: 'Live orders can settle here, straight to you.',
      chains: listed.filter(({ settles }) => settles === 'direct'),
    },
    {
      title: 'Real money through NEAR Intents',
      note: 'It holds the money for some minutes. You switch it on for each chain.',
      chains: listed.filter(({ settles }) => settles === 'third-party'),
    },
    {
      title: 'Test only',
      note: 'Nothing carries real money here on this service.',
      chains: listed.filter((chain) => !carriesLive(chain)),
    },
  ]
  return (
    <>
      <div className={classes.filters}>
        <TextInput
          type="search"
          aria-label="Find a chain"
          placeholder="Find a chain or coin"
          leftSection={<Icon name="search" size={15} />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Select
          aria-label="Family"
          placeholder="All families"
          clearable
          data={families}
          value={family}
          onChange={setFamily}
        />
      </div>
      <p className={classes.hits} aria-live="polite">
        {list.length === 0 ? '' : `${listed.length} of ${list.length} chains`}
      </p>
      {list.length === 0 ? (
        <Lines n={6} height={20} />
      ) : shown.length === 0 ? (
        <Empty icon="search" title="No chain fits">
          Try another name, or all families.
        </Empty>
      ) : (
        groups.map(({ title, note, chains }) =>
          chains.length === 0 ? null : (
            <section key={title} aria-label={title} className={classes.group}>
              <h3 className={classes.groupTitle}>
                {title} <small>{note}</small>
              </h3>
              <ul className={classes.grid}>
                {chains.map((chain) => (
                  <li key={chain.id}>
                    <Tile chain={chain} isSet={set.has(chain.id)} onChoose={onChoose} />
                  </li>
                ))}
              </ul>
            </section>
          ),
        )
      )}
      {listed.length < shown.length ? (
        <Button variant="default" mt={10} onClick={() => setAll(true)}>
          Show all {shown.length} chains
        </Button>
      ) : null}
    </>
  )
}

function Tile({ chain, isSet, onChoose }: { chain: Chain; isSet: boolean; onChoose: (chain: string) => void }) {
  return (
    <UnstyledButton className={classes.tile} onClick={() => onChoose(chain.id)}>
      <ChainIcon id={chain.id} symbol={chain.assets[0]?.asset ?? chain.id} size={32} />
      <span className={classes.tileText}>
        <span>{chain.name}</span>
        <small>
          {familyName(chain.family)} · {chain.assets.map((asset) => asset.asset).join(', ')}
        </small>
      </span>
      {isSet ? <Badge tone="good">Set</Badge> : null}
    </UnstyledButton>
  )
}
