// The choice of coin and network: a searchable list for mouse, finger, keyboard and screen reader alike.
import type { Checkout, PayChoice } from '@florin/protocol'
import { useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { refusalPhrase } from '../api.ts'
import { choiceKey, coinsOf, rememberChoice, rememberedChoice, searchChoices } from '../choices.ts'
import { ChoiceList, type Option } from './ChoiceList.tsx'
import { useShared } from './context.ts'
import { AddressForm } from './forms/RefundForm.tsx'
import { Icon } from './Icon.tsx'
import { useAct } from './useAct.ts'
import { useOptions } from './useOptions.ts'

/** Fewer ways than this are seen at a glance and need no search. */
const SEARCH_FROM = 8

interface ChooserProps {
  checkout: Checkout
  /** Back to the leg that stands; null where there is none. */
  onBack: (() => void) | null
  onChosen(): void
}

export function Chooser({ checkout, onBack, onChosen }: ChooserProps) {
  const { api, say } = useShared()
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
  const last = useMemo(() => rememberedChoice(choices, localStorage), [choices])

  const options = useMemo((): Option[] => {
    const offered = coin === null ? choices : choices.filter((choice) => choice.asset === coin)
    const asOptions = (list: readonly PayChoice[]): Option[] =>
      list.map((choice) => ({ kind: 'choice', id: choiceKey(choice), choice, isLast: false }))
    if (looked !== '') return asOptions(searchChoices(offered, looked))
    if (coin !== null) return asOptions(offered)
    const lastOption: Option[] =
      last === null ? [] : [{ kind: 'choice', id: `last ${choiceKey(last)}`, choice: last, isLast: true }]
    const rest = coins.flatMap((one): Option[] =>
      one.choices.length === 1 ? asOptions(one.choices) : [{ kind: 'coin', id: one.asset, coin: one }],
    )
    return [...lastOption, ...rest]
  }, [choices, coin, coins, last, looked])

  async function choose(choice: PayChoice, refundAddress?: string): Promise<boolean> {
    setPicked(choice)
    const { chain, asset } = choice
    const isDone = await act.run(
      refundAddress === undefined ? { chain, asset } : { chain, asset, refund_address: refundAddress },
    )
    setPicked(null)
    if (isDone) {
      rememberChoice(choice, localStorage)
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
      if (matchMedia('(pointer: fine)').matches) search.current?.focus()
    } else if (option.choice.refund_address === 'required' && checkout.refund_address === null) {
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
  const needsSearch = choices.length > SEARCH_FROM
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
          <p className="hint">{say('refund_needed_first')}</p>
          <AddressForm
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
          {options.length === 0 ? <p className="empty">{say('no_match', { query: looked })}</p> : null}
        </>
      )}
    </div>
  )
}
