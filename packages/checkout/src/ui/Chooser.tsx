// The choice of coin and network: a searchable list for mouse, finger, keyboard and screen reader alike.
import { searchChoices } from '@florin/checkout-core'
import type { Checkout, PayChoice } from '@florin/protocol'
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { refusalPhrase } from '../api.ts'
import { hasPointer } from '../browser.ts'
import { choiceKey, coinsOf, rememberChoice, rememberedChoice } from '../choices.ts'
import { ChoiceList, type Option } from './ChoiceList.tsx'
import { useShared } from './context.ts'
import { AddressForm } from './forms/RefundForm.tsx'
import { Icon } from './Icon.tsx'
import { Passes } from './Passes.tsx'
import { useAct } from './useAct.ts'
import { useOptions } from './useOptions.ts'

/** Fewer ways than this are seen at a glance and need no search. */
const SEARCH_FROM = 8
/** Nobody looks through more rows: another letter finds it sooner. */
const SHOWN_MAX = 60

interface ChooserProps {
  checkout: Checkout
  /** Back to the leg that stands; null where there is none. */
  onBack: (() => void) | null
  onChosen(): void
}

export function Chooser({ checkout, onBack, onChosen }: ChooserProps) {
  const { api, say, locale } = useShared()
  const { choices } = checkout
  const [query, setQuery] = useState('')
  const [coin, setCoin] = useState<string | null>(null)
  const [needing, setNeeding] = useState<PayChoice | null>(null)
  const [picked, setPicked] = useState<PayChoice | null>(null)
  const act = useAct(api.choose)
  const listId = useId()
  const search = useRef<HTMLInputElement>(null)
  const looked = useDeferredValue(query.trim())
  const coins = useMemo(() => coinsOf(choices), [choices])
  const all = useAllChoices(checkout)
  const last = useMemo(() => rememberedChoice(all, () => localStorage), [all])

  const options = useMemo((): Option[] => {
    const offered = coin === null ? all : all.filter((choice) => choice.asset === coin)
    const asOptions = (list: readonly PayChoice[]): Option[] =>
      list.map((choice) => ({ kind: 'choice', id: choiceKey(choice), choice, isLast: false }))
    if (looked !== '') return asOptions(searchChoices(offered, looked).slice(0, SHOWN_MAX))
    if (coin !== null) return asOptions(offered)
    const lastOption: Option[] =
      last === null ? [] : [{ kind: 'choice', id: `last ${choiceKey(last)}`, choice: last, isLast: true }]
    const rest = coins.flatMap((one): Option[] =>
      one.choices.length === 1 ? asOptions(one.choices) : [{ kind: 'coin', id: one.asset, coin: one }],
    )
    return [...lastOption, ...rest]
  }, [all, coin, coins, last, looked])

  async function choose(choice: PayChoice, refundAddress?: string): Promise<boolean> {
    setPicked(choice)
    const { chain, asset, custody } = choice
    const wish = { chain, asset, custody }
    const isDone = await act.run(refundAddress === undefined ? wish : { ...wish, refund_address: refundAddress })
    setPicked(null)
    if (isDone) {
      rememberChoice(choice, () => localStorage)
      onChosen()
    }
    return isDone
  }

  function pick(n: number): void {
    const option = options[n]
    if (option === undefined || act.isRunning) return
    if (option.kind === 'coin') {
      setCoin(option.coin.asset)
      setQuery('')
      // On a phone the keyboard would cover the list.
      if (hasPointer('fine')) search.current?.focus()
    } else if (option.choice.refund_address === 'required') {
      setNeeding(option.choice)
    } else void choose(option.choice)
  }

  function back(): void {
    act.forget()
    if (needing !== null) setNeeding(null)
    else if (query !== '') setQuery('')
    else if (coin !== null) setCoin(null)
    else onBack?.()
  }

  const list = useOptions({ listId, count: options.length, version: `${coin} ${looked}`, onPick: pick, onEscape: back })
  const canGoBack = needing !== null || coin !== null || onBack !== null
  const more = checkout.choices_total - choices.length
  const needsSearch = choices.length > SEARCH_FROM || more > 0
  const fault = act.refusal === null ? null : say(refusalPhrase(act.refusal, needing?.chain_name ?? ''))
  const combobox = {
    role: 'combobox',
    'aria-expanded': true,
    'aria-controls': listId,
    'aria-activedescendant': options.length === 0 ? undefined : `${listId}-${list.active}`,
    onKeyDown: list.onKeyDown,
  } as const

  return (
    <div className="chooser">
      {canGoBack ? (
        <button type="button" className="back" onClick={back}>
          <Icon name="arrow_left" />
          {say('back')}
        </button>
      ) : null}
      {needing !== null ? (
        <>
          <h3>{say('coin_on_chain', { asset: needing.asset, chain: needing.chain_name })}</h3>
          <Passes rail={needing.rail} custody={needing.custody} />
          <p className="hint">{say('refund_needed_first')}</p>
          <AddressForm
            first={knownAddress(checkout, needing)}
            chain={needing.chain_name}
            action={say('continue')}
            busy={say('opening')}
            isRunning={act.isRunning}
            refusal={act.refusal}
            onSend={(address) => choose(needing, address)}
          />
        </>
      ) : (
        <>
          {coin === null ? null : (
            <>
              <h3>{say('choose_network_title')}</h3>
              <p className="hint">{say('choose_network_note', { asset: coin })}</p>
            </>
          )}
          {needsSearch ? (
            <div className="search">
              <Icon name="search" />
              <input
                ref={search}
                type="text"
                className="input"
                value={query}
                placeholder={say(coin === null ? 'choose_search' : 'choose_network_search')}
                aria-label={say(coin === null ? 'choose_search' : 'choose_network_search')}
                aria-autocomplete="list"
                autoComplete="off"
                autoCorrect="off"
                spellCheck={false}
                enterKeyHint="go"
                onChange={(event) => setQuery(event.target.value)}
                {...combobox}
              />
            </div>
          ) : null}
          {fault === null ? null : (
            <p className="fault" role="alert">
              {fault}
            </p>
          )}
          <ChoiceList
            id={listId}
            label={say('choose_title')}
            options={options}
            active={list.active}
            picked={picked}
            onActive={list.setActive}
            onPick={pick}
            onKeyDown={needsSearch ? null : list.onKeyDown}
          />
          {coin === null && looked === '' && more > 0 ? (
            <p className="hint">{say('choose_more', { count: new Intl.NumberFormat(locale).format(more) })}</p>
          ) : null}
          {options.length === 0 ? <p className="empty">{say('no_match', { query: looked })}</p> : null}
        </>
      )}
    </div>
  )
}

/** What the page began with; the rest is fetched once somebody chooses, so that nobody waits for it who does not. */
function useAllChoices({ choices, choices_total: total }: Checkout): readonly PayChoice[] {
  const { api } = useShared()
  const [all, setAll] = useState<readonly PayChoice[] | null>(null)
  const isShort = total > choices.length
  useEffect(() => {
    if (!isShort) return
    let isWanted = true
    // Without it the page still offers what most payers look for.
    api.choices().then(
      (list) => isWanted && setAll(list),
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [api, isShort])
  return isShort && all !== null ? all : choices
}

/** An address that this payer gave, or the shop for him, where it can be one of this chain. */
function knownAddress(checkout: Checkout, choice: PayChoice): string | null {
  const { refund_address: given, refund_address_proposed: proposed, pay_chain: chain } = checkout
  if (given !== null && chain?.family === choice.family) return given
  return proposed !== null && proposed.startsWith('0x') === (choice.family === 'evm') ? proposed : null
}
