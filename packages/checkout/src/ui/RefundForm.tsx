// Asking for the payer's refund address. The server judges it by the chain's own rules; its verdict stands at the
// field. The first address given stands for good, so it is asked for with care and shown in full afterwards.
import { type FormEvent, useId, useRef, useState } from 'react'
import { type Refusal, refusalPhrase } from '../api.ts'
import { useShared } from './context.ts'
import { Icon } from './Icon.tsx'
import { useAct } from './useAct.ts'

export function RefundForm({ chain, isWanted }: { chain: string; isWanted: boolean }) {
  const { api, say } = useShared()
  const act = useAct(api.giveRefundAddress)
  const form = (
    <AddressForm
      chain={chain}
      action={say('refund_send')}
      busy={say('refund_sending')}
      isRunning={act.isRunning}
      refusal={act.refusal}
      onSend={act.run}
    />
  )
  if (isWanted) return <section className="refund-form is-wanted">{form}</section>
  return (
    <details className="refund-form">
      <summary>
        <Icon name="return" />
        <span className="summary-text">{say('refund_offer')}</span>
      </summary>
      <p className="hint">{say('refund_offer_note')}</p>
      {form}
    </details>
  )
}

interface AddressFormProps {
  chain: string
  action: string
  busy: string
  isRunning: boolean
  refusal: Refusal | null
  /** @returns whether the server took it */
  onSend(address: string): Promise<boolean>
}

export function AddressForm({ chain, action, busy, isRunning, refusal, onSend }: AddressFormProps) {
  const { say, locale } = useShared()
  const [text, setText] = useState('')
  const [isEmpty, setEmpty] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    const address = text.trim()
    setEmpty(address === '')
    if (address === '' || !(await onSend(address))) input.current?.focus()
  }

  const fault = isEmpty ? say('error_empty_address') : refusal === null ? null : say(refusalPhrase(refusal, chain))
  // The server's own sentence says more, in English; it is shown where it belongs to the address.
  const more = !isEmpty && refusal?.code === 'invalid_address' ? refusal.said : null
  return (
    <form className="address-form" onSubmit={send} noValidate>
      <label htmlFor={id}>{say('refund_address_chain', { chain })}</label>
      <input
        id={id}
        ref={input}
        type="text"
        className="input code"
        value={text}
        maxLength={512}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? `${id}-hint` : `${id}-fault ${id}-hint`}
        onChange={(event) => {
          setText(event.target.value)
          setEmpty(false)
        }}
      />
      {fault === null ? null : (
        <p className="fault" id={`${id}-fault`} role="alert">
          {locale.startsWith('en') && more !== null ? more : fault}
          {!locale.startsWith('en') && more !== null ? <span lang="en"> {more}</span> : null}
        </p>
      )}
      <p className="hint" id={`${id}-hint`}>
        {say('refund_address_hint')}
      </p>
      <button type="submit" className="button is-primary" aria-disabled={isRunning}>
        {isRunning ? busy : action}
      </button>
    </form>
  )
}
