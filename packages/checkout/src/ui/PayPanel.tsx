// How to pay the chosen leg: what to send, where to, by which network. Everything a wallet needs can be copied,
// scanned or opened; all three say the same.

import { coinText, rateText, refundCost, walletUrl } from '@florin/checkout-core'
import { type Checkout, formatUnits, type PayLeg } from '@florin/protocol'
import { useEffect, useRef, useState } from 'react'
import { hasPointer } from '../browser.ts'
import { CopyField } from './CopyField.tsx'
import { useShared } from './context.ts'
import { Icon } from './Icon.tsx'
import { MemoStep } from './MemoStep.tsx'
import { Passes } from './Passes.tsx'
import { QrCode } from './QrCode.tsx'
import { WalletPay } from './wallet/WalletPay.tsx'

/** The parts of an equation stay on one line. */
const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0')

export function PayPanel({ pay, chain }: { pay: PayLeg; chain: NonNullable<Checkout['pay_chain']> | null }) {
  const { say, locale } = useShared()
  const chainName = chain?.name ?? pay.chain
  const isPartial = BigInt(pay.amount_received) > 0n
  const units = isPartial ? pay.amount_remaining : pay.amount_due
  const wallet = pay.uri === null ? null : walletUrl(pay.uri)
  // On a phone the wallet is mostly on the same phone and cannot scan its own screen; on a desk it is mostly elsewhere.
  const isHandheld = hasPointer('coarse')
  const code = <QrChoice uri={pay.uri ?? pay.address} address={pay.address} />
  const [taken, setTaken] = useState<string | null>(null)
  const memo = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (taken !== null) memo.current?.focus()
  }, [taken])
  const passes = <Passes rail={pay.rail} custody={pay.route?.custody ?? 'none'} cost={refundCost({ pay }, locale)} />
  if (pay.memo !== null && taken !== pay.id) {
    return (
      <>
        {passes}
        <MemoStep memo={pay.memo} onTaken={() => setTaken(pay.id)} />
      </>
    )
  }
  return (
    <>
      {passes}
      <p className="network-warning">
        <Icon name="warning" />
        <span>
          <strong>{say('network_warning', { asset: pay.asset, chain: chainName })}</strong>
          {` ${say('network_warning_more')}`}
        </span>
      </p>
      {pay.memo === null ? null : (
        <div className="memo-box" ref={memo} tabIndex={-1}>
          <dl className="fields">
            <CopyField label={say('memo')} text={pay.memo} action={say('copy_memo')} note={say('memo_note')}>
              <span className="code">{pay.memo}</span>
            </CopyField>
          </dl>
        </div>
      )}
      {isHandheld ? null : code}
      <dl className="fields">
        <CopyField
          label={say(isPartial ? 'remaining_amount' : 'amount')}
          text={formatUnits(units, pay.decimals)}
          action={say('copy_amount')}
          note={`${say('fee_note')} ${unbroken(say('rate_line', { asset: pay.asset, usd: rateText(pay.rate, locale) }))}`}
        >
          <span className="sum">{coinText(units, pay.decimals, locale)}</span> <span className="unit">{pay.asset}</span>
        </CopyField>
        <CopyField label={say('address')} text={pay.address} action={say('copy_address')}>
          <Address text={pay.address} />
        </CopyField>
      </dl>
      <WalletPay pay={pay} chain={chain} amount={units} />
      {wallet === null ? null : (
        <a className={`button ${isHandheld ? 'is-primary' : ''}`} href={wallet}>
          {say('open_wallet')}
        </a>
      )}
      {isHandheld ? code : null}
    </>
  )
}

/** Its ends stand out: they are what people compare with their wallet. */
function Address({ text }: { text: string }) {
  if (text.length < 20) return <span className="code">{text}</span>
  return (
    <span className="code address">
      <b>{text.slice(0, 6)}</b>
      {text.slice(6, -6)}
      <b>{text.slice(-6)}</b>
    </span>
  )
}

/** Some wallets read the amount from a code, some stumble over it: both kinds are a click apart. */
function QrChoice({ uri, address }: { uri: string; address: string }) {
  const { say } = useShared()
  const [isPlain, setPlain] = useState(false)
  const hasBoth = uri !== address
  const showsPlain = isPlain || !hasBoth
  return (
    <div className="qr-box">
      <QrCode
        text={showsPlain ? address : uri}
        label={say(showsPlain ? 'qr_alt_address_only' : 'qr_alt_with_amount')}
      />
      {hasBoth ? (
        <fieldset className="modes">
          <legend className="offscreen">{say('qr_content')}</legend>
          <label>
            <input type="radio" name="qr" checked={!isPlain} onChange={() => setPlain(false)} />
            <span className="mode">{say('qr_with_amount')}</span>
          </label>
          <label>
            <input type="radio" name="qr" checked={isPlain} onChange={() => setPlain(true)} />
            <span className="mode">{say('qr_address_only')}</span>
          </label>
        </fieldset>
      ) : null}
    </div>
  )
}
