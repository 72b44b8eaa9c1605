// "Already sent it?": the payment is looked for at once. On an order whose time is over it is the thing to do, and the shop
// can be asked; before that it stands folded below the address.
import type { Checkout } from '@florin/protocol'
import { useId, useState } from 'react'
import { refusalPhrase } from '../../api.ts'
import { useShared } from '../context.ts'
import { Icon } from '../Icon.tsx'
import { Support } from '../Support.tsx'
import { useAct } from '../useAct.ts'

export function SentForm({ checkout }: { checkout: Checkout }) {
  const { api, say } = useShared()
  const act = useAct(api.look)
  const id = useId()
  const [hash, setHash] = useState('')
  const [isSent, setSent] = useState(false)
  const chain = checkout.pay_chain?.name ?? ''
  const form = (
    <>
      <p className="hint">{say('sent_note')}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (hash.trim() !== '') void act.run(hash.trim()).then(setSent)
        }}
      >
        <label htmlFor={id}>{say('sent_label')}</label>
        <input
          id={id}
          className="input code"
          value={hash}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={act.refusal !== null}
          aria-describedby={`${id}-said`}
          onChange={(event) => {
            setHash(event.target.value)
            setSent(false)
          }}
        />
        <p id={`${id}-said`} className={act.refusal === null ? 'hint' : 'fault'} role="status">
          {act.refusal !== null ? say(refusalPhrase(act.refusal, chain)) : isSent ? say('sent_looking') : null}
        </p>
        <button type="submit" className="button" disabled={act.isRunning}>
          {say('sent_button')}
        </button>
      </form>
    </>
  )
  if (checkout.status === 'pending') {
    return (
      <details className="refund-form">
        <summary>
          <Icon name="check" />
          <span className="summary-text">{say('sent_title')}</span>
        </summary>
        {form}
      </details>
    )
  }
  return (
    <section className="refund-form is-wanted">
      <h3>{say('sent_title')}</h3>
      {form}
      <Support merchant={checkout.merchant} />
    </section>
  )
}
