// The middle of the page: the one thing to do or to know right now, chosen by the screen's panel.

import { mayHaveSent, paymentLines, refundCost, refundLines, type Screen, webUrl } from '@florin/checkout-core'
import { type RefObject, useState } from 'react'
import type { Known } from '../store.ts'
import { Chooser } from './Chooser.tsx'
import { CoinMark } from './CoinMark.tsx'
import { Countdown } from './Countdown.tsx'
import { useShared } from './context.ts'
import { RefundForm } from './forms/RefundForm.tsx'
import { SentForm } from './forms/SentForm.tsx'
import { MoneyList } from './MoneyList.tsx'
import { Notes, Outcome } from './Outcome.tsx'
import { PayPanel } from './PayPanel.tsx'
import { Progress } from './Progress.tsx'
import { Receipt } from './Receipt.tsx'
import { Requote } from './Requote.tsx'
import { ReturnBox } from './ReturnBox.tsx'

interface CardProps {
  known: Known
  screen: Screen
  heading: RefObject<HTMLHeadingElement | null>
  /** The order was settled while somebody watched. */
  isFresh: boolean
  /** An act of the payer's changed the page: the focus goes to the heading. */
  onActed(): void
}

export function Card(props: CardProps) {
  const [isChanging, setChanging] = useState(false)
  const { screen, known } = props
  const canChange = screen.canChange && known.checkout.pay !== null
  if (isChanging && canChange) {
    const leave = (): void => {
      setChanging(false)
      props.onActed()
    }
    return <ChoosePanel {...props} onBack={leave} onChosen={leave} />
  }
  switch (screen.panel) {
    case 'choose':
      return <ChoosePanel {...props} onBack={null} onChosen={props.onActed} />
    case 'pay':
    case 'requote':
      return <OpenPanel {...props} onChange={canChange ? () => setChanging(true) : null} />
    case 'progress':
    case 'end':
      return <ClosedPanel {...props} />
    default:
      return screen.panel satisfies never
  }
}

function ChoosePanel({
  known,
  screen,
  heading,
  onBack,
  onChosen,
}: CardProps & { onBack: (() => void) | null; onChosen(): void }) {
  const { say } = useShared()
  return (
    <>
      <div className="card-head">
        <h2 ref={heading} tabIndex={-1}>
          {say('choose_title')}
        </h2>
      </div>
      <Deadline known={known} screen={screen} />
      <div className={`notes is-${screen.tone}`}>
        <Notes screen={screen} />
      </div>
      <Chooser checkout={known.checkout} onBack={onBack} onChosen={onChosen} />
    </>
  )
}

/** Money can be sent: by the leg that stands, or by a new one. */
function OpenPanel({ known, screen, heading, onActed, onChange }: CardProps & { onChange: (() => void) | null }) {
  const { say, locale } = useShared()
  const { checkout } = known
  const { pay, pay_chain: chain } = checkout
  if (pay === null) return null
  return (
    <>
      <div className="card-head">
        <CoinMark asset={pay.asset} />
        <div className="card-title">
          <h2 ref={heading} tabIndex={-1}>
            {say(screen.headline)}
          </h2>
          {onChange === null ? null : (
            <button type="button" className="link" onClick={onChange}>
              {say('change')}
            </button>
          )}
        </div>
      </div>
      <Deadline known={known} screen={screen} />
      <div className={`notes is-${screen.tone}`}>
        <Notes screen={screen} />
      </div>
      {screen.panel === 'requote' ? (
        <Requote pay={pay} onDone={onActed} />
      ) : (
        <>
          <PayPanel pay={pay} chain={chain} />
          <div className="waiting">
            <span className="pulse" aria-hidden="true" />
            <p>
              <strong>{say('waiting')}</strong> <span>{say('waiting_note')}</span>
            </p>
          </div>
          {mayHaveSent(checkout) ? <SentForm checkout={checkout} /> : null}
        </>
      )}
      <RefundPart known={known} screen={screen} />
      <MoneyList title={say('payments')} lines={paymentLines(checkout)} />
      <MoneyList title={say('refunds')} lines={refundLines(checkout)} note={refundCost(checkout, locale)} />
    </>
  )
}

/** Nothing is to be sent any more. */
function ClosedPanel({ known, screen, heading, isFresh }: CardProps) {
  const { say, locale } = useShared()
  const { checkout } = known
  const isPaid = checkout.status === 'success'
  const url = webUrl(isPaid ? checkout.success_url : checkout.cancel_url)
  const isOver = screen.panel === 'end'
  // Money that waits for an address is the one thing to do, before going back.
  const isAsking = screen.refundForm === 'wanted'
  return (
    <>
      <Outcome screen={screen} heading={heading} />
      {isPaid && checkout.success_text !== null ? <p className="success-text">{checkout.success_text}</p> : null}
      {isAsking ? <RefundPart known={known} screen={screen} /> : null}
      {isPaid && url !== null ? <ReturnBox url={url} isPrimary={!isAsking} isAutomatic={isFresh && !isAsking} /> : null}
      {isPaid ? null : <Progress steps={screen.steps} />}
      {mayHaveSent(checkout) ? <SentForm checkout={checkout} /> : null}
      {isAsking ? null : <RefundPart known={known} screen={screen} />}
      <MoneyList title={say('refunds')} lines={refundLines(checkout)} note={refundCost(checkout, locale)} />
      {isPaid ? <Receipt checkout={checkout} /> : <MoneyList title={say('payments')} lines={paymentLines(checkout)} />}
      {isOver && !isPaid && url !== null ? (
        <a className="button" href={url}>
          {say('return_button')}
        </a>
      ) : null}
    </>
  )
}

function Deadline({ known, screen }: Pick<CardProps, 'known' | 'screen'>) {
  const { say } = useShared()
  if (screen.deadline === null) return null
  const label = say(screen.deadline.of === 'rate' ? 'rate_held' : 'time_left')
  return <Countdown until={screen.deadline.at} label={label} told={known.told} />
}

function RefundPart({ known, screen }: Pick<CardProps, 'known' | 'screen'>) {
  const { say } = useShared()
  const { checkout } = known
  if (screen.refundForm !== 'none') {
    return <RefundForm checkout={checkout} note={screen.refundNote} isWanted={screen.refundForm === 'wanted'} />
  }
  // Once it matters, the payer sees where the money goes; before, it would only be one more address on the page.
  if (checkout.refund_address === null || checkout.status === 'success') return null
  return (
    <p className="refund-set">
      <span>{say('refund_address_set')}</span> <span className="code">{checkout.refund_address}</span>
    </p>
  )
}
