// Asking for the payer's refund address. The server judges it by the chain's own rules; its verdict stands at the
// field. Before money is seen it may be given anew; afterwards the wallet that paid can sign for it.
import type { Phrase } from '@florin/checkout-core'
import type { Checkout } from '@florin/protocol'
import { type FormEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { type Refusal, refusalPhrase } from '../../api.ts'
import { useShared } from '../context.ts'
import { Icon } from '../Icon.tsx'
import { useAct } from '../useAct.ts'

interface RefundFormProps {
  checkout: Checkout
  note: Phrase | null
  isWanted: boolean
}

const RefundSigner = lazy(() => import('./RefundSigner.tsx').catch(() => ({ default: () => null })))

export function RefundForm({ checkout, note, isWanted }: RefundFormProps) {
  const { api, say } = useShared()
  const act = useAct(api.giveRefundAddress)
  const chain = checkout.refund_chain ?? ''
  const { refund_address: set, refund_address_proposed: proposed, refund_signers: signers } = checkout
  const form = (
    <AddressForm
      // Another address on record is another beginning.
      key={set ?? proposed}
      first={set ?? (checkout.refund_address_way === 'bind' ? proposed : null)}
      chain={chain}
      signers={signers}
      action={say('refund_send')}
      busy={say('refund_sending')}
      isRunning={act.isRunning}
      refusal={act.refusal}
      onSend={act.run}
    />
  )
  const said = note === null ? null : <p className="hint">{say(note)}</p>
  if (isWanted) {
    return (
      <section className="refund-form is-wanted">
        {said}
        {form}
      </section>
    )
  }
  const isAsked = checkout.refund_address_state === 'asked'
  return (
    <>
      {isAsked ? said : null}
      <details className="refund-form">
        <summary>
          <Icon name="return" />
          <span className="summary-text">{say(set === null ? 'refund_offer' : 'refund_address_set')}</span>
        </summary>
        {isAsked ? null : said}
        {form}
      </details>
    </>
  )
}

interface AddressFormProps {
  /** What stands in the field at first. */
  first?: string | null
  /** Wallets that can prove by signature that the money is theirs. */
  signers?: Checkout['refund_signers']
  chain: string
  action: string
  busy: string
  isRunning: boolean
  refusal: Refusal | null
  /** @returns whether the server took it */
  onSend(address: string): Promise<boolean>
}

export function AddressForm({
  first,
  signers = [],
  chain,
  action,
  busy,
  isRunning,
  refusal,
  onSend,
}: AddressFormProps) {
  const { say, locale } = useShared()
  const [text, setText] = useState(first ?? '')
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
      {signers.length === 0 ? null : (
        <Suspense>
          <RefundSigner signers={signers} address={text.trim()} />
        </Suspense>
      )}
      <button type="submit" className={`button ${signers.length === 0 ? 'is-primary' : ''}`} aria-disabled={isRunning}>
        {isRunning ? busy : action}
      </button>
    </form>
  )
}
