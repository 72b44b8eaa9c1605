// The rows of the chooser: a listbox whose options are coins with several networks, or one coin on one network.
import { wayPhrases } from '@florin/checkout-core'
import type { PayChoice } from '@florin/protocol'
import type { KeyboardEvent } from 'react'
import type { Coin } from '../choices.ts'
import { CoinMark } from './CoinMark.tsx'
import { useShared } from './context.ts'
import { Icon } from './Icon.tsx'

export type Option =
  | { kind: 'coin'; id: string; coin: Coin }
  | { kind: 'choice'; id: string; choice: PayChoice; isLast: boolean }

interface ChoiceListProps {
  id: string
  label: string
  options: readonly Option[]
  active: number
  /** The one that is being opened. */
  picked: PayChoice | null
  onActive(n: number): void
  onPick(n: number): void
  /** Null where a search field above holds the focus; else the list itself takes the keys. */
  onKeyDown: ((event: KeyboardEvent) => void) | null
}

export function ChoiceList({ id, label, options, active, picked, onActive, onPick, onKeyDown }: ChoiceListProps) {
  return (
    <div
      className="choices"
      id={id}
      role="listbox"
      aria-label={label}
      aria-busy={picked !== null}
      tabIndex={onKeyDown === null ? -1 : 0}
      aria-activedescendant={onKeyDown === null ? undefined : `${id}-${active}`}
      onKeyDown={onKeyDown ?? undefined}
    >
      {options.map((option, n) => (
        // Keys come to the field or the list, which name the active option; the row itself is only pointed at.
        <div
          key={option.id}
          id={`${id}-${n}`}
          role="option"
          tabIndex={-1}
          aria-selected={n === active}
          className={`choice ${n === active ? 'is-active' : ''}`}
          onPointerMove={() => n !== active && onActive(n)}
          onClick={() => onPick(n)}
          onKeyDown={undefined}
        >
          <Row option={option} isOpening={option.kind === 'choice' && option.choice === picked} />
        </div>
      ))}
    </div>
  )
}

function Row({ option, isOpening }: { option: Option; isOpening: boolean }) {
  const { say, locale } = useShared()
  const asset = option.kind === 'coin' ? option.coin.asset : option.choice.asset
  const where =
    option.kind === 'coin'
      ? say('networks', { count: new Intl.NumberFormat(locale).format(option.coin.choices.length) })
      : option.choice.chain_name
  const way = option.kind === 'coin' ? '' : wayPhrases(option.choice, locale).map(say).join(' · ')
  return (
    <>
      <CoinMark asset={asset} />
      <span className="choice-text">
        <span className="choice-asset">{asset}</span> <span className="choice-chain">{where}</span>
        {way === '' ? null : <span className="choice-way">{way}</span>}
      </span>
      {option.kind === 'choice' && option.isLast ? <span className="badge is-plain">{say('last_used')}</span> : null}
      {isOpening ? <span className="spinner" role="status" aria-label={say('opening')} /> : <Icon name="chevron" />}
    </>
  )
}
