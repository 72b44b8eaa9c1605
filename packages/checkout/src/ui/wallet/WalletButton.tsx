// Paying with a wallet of this browser: which wallet, what it is asked for right now, what went wrong. Where there
// is no wallet nothing is shown. What was sent once is remembered for this leg, so that a reload invites no second payment.
// Where a third party has to find the payment, the server passes its hash on.

import { explorerUrl, type Phrase, phrase } from '@florin/checkout-core'
import { type Checkout, formatUnits, type PayLeg } from '@florin/protocol'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Wallet, watchWallets } from '../../wallet/discover.ts'
import { payByWallet, type WalletFault, type WalletStep } from '../../wallet/pay.ts'
import { useShared } from '../context.ts'
import { Icon } from '../Icon.tsx'

export interface WalletPayProps {
  pay: PayLeg
  chain: Checkout['pay_chain']
  /** What is still to be sent, in smallest units. */
  amount: string
  chainId: number
}

type State =
  | { at: 'idle'; fault: WalletFault | null }
  | { at: 'choosing' }
  | { at: 'asking'; step: WalletStep; name: string | null }
  | { at: 'sent'; txHash: string }

export default function WalletButton({ pay, chain, amount, chainId }: WalletPayProps) {
  const { api, say, announce } = useShared()
  const [source] = useState(() => watchWallets(window))
  const wallets = useSyncExternalStore(source.subscribe, source.get)
  const [state, setState] = useState<State>(() => remembered(pay, amount) ?? { at: 'idle', fault: null })
  const [leaving] = useState(() => ({ now: new AbortController() }))
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    leaving.now = new AbortController()
    return () => leaving.now.abort()
  }, [leaving])
  useEffect(() => {
    if (state.at === 'choosing') first.current?.focus()
  }, [state.at])

  const fields = { amount: formatUnits(amount, pay.decimals), asset: pay.asset, chain: chain?.name ?? pay.chain }
  const stepPhrase = (step: WalletStep): Phrase => {
    if (step === 'connect') return phrase('wallet_connect')
    return step === 'network' ? phrase('wallet_network', fields) : phrase('wallet_confirm', fields)
  }

  async function payWith(wallet: Wallet): Promise<void> {
    const { signal } = leaving.now
    const transfer = { chainId, contract: pay.contract, to: pay.address, amount }
    const answer = await payByWallet(wallet.provider, transfer, {
      signal,
      onStep(step) {
        setState({ at: 'asking', step, name: wallet.name })
        announce(say(stepPhrase(step)))
      },
    })
    // Remembered even when the page went on while the wallet was asked: it did send.
    if (answer.kind === 'sent') {
      remember(pay, amount, answer.txHash)
      // It is found without it too, only later.
      if (pay.route?.custody === 'third-party') void api.look(answer.txHash).catch(() => undefined)
    }
    if (signal.aborted) return
    setState(answer.kind === 'sent' ? { at: 'sent', txHash: answer.txHash } : { at: 'idle', fault: answer.fault })
    if (answer.kind === 'sent') announce(say('wallet_sent'))
  }

  const [only] = wallets
  if (state.at === 'sent') return <Sent txHash={state.txHash} template={chain?.explorer_tx ?? null} />
  if (only === undefined) return null
  if (state.at === 'asking') {
    return (
      <div className="wallet is-asking" role="status">
        <span className="spinner" aria-hidden="true" />
        <p>{say(stepPhrase(state.step))}</p>
      </div>
    )
  }
  if (state.at === 'choosing') {
    return (
      <fieldset className="wallet">
        <legend>{say('wallet_which')}</legend>
        <ul className="wallet-list">
          {wallets.map((wallet, n) => (
            <li key={wallet.id}>
              <button
                type="button"
                className="button"
                ref={n === 0 ? first : null}
                onClick={() => void payWith(wallet)}
              >
                {wallet.icon === null ? null : <img src={wallet.icon} alt="" width="24" height="24" />}
                {wallet.name ?? say('wallet_unnamed')}
              </button>
            </li>
          ))}
        </ul>
        <button type="button" className="link" onClick={() => setState({ at: 'idle', fault: null })}>
          {say('back')}
        </button>
      </fieldset>
    )
  }
  return (
    <div className="wallet">
      <button
        type="button"
        className="button is-primary"
        onClick={() => (wallets.length === 1 ? void payWith(only) : setState({ at: 'choosing' }))}
      >
        {say('wallet_pay')}
      </button>
      {state.fault === null || state.fault === 'gone' ? null : (
        <p className="fault" role="alert">
          {say(faultPhrase(state.fault, fields))}
        </p>
      )}
    </div>
  )
}

function faultPhrase(
  fault: Exclude<WalletFault, 'gone'>,
  fields: { amount: string; asset: string; chain: string },
): Phrase {
  switch (fault) {
    case 'rejected':
      return phrase('error_wallet_rejected')
    case 'network':
      return phrase('error_wallet_network', fields)
    case 'funds':
      return phrase('error_wallet_funds', fields)
    case 'fee':
      return phrase('error_wallet_fee', fields)
    case 'busy':
      return phrase('error_wallet_busy')
    case 'unknown':
      return phrase('error_wallet_unknown')
    default:
      return fault satisfies never
  }
}

function Sent({ txHash, template }: { txHash: string; template: string | null }) {
  const { say } = useShared()
  const url = explorerUrl(template, 'tx', txHash)
  return (
    <div className="wallet is-sent">
      <p>
        <Icon name="check" />
        <span>{say('wallet_sent')}</span>
      </p>
      {url === null ? (
        <p className="code">{txHash}</p>
      ) : (
        <a className="link" href={url} target="_blank" rel="noopener noreferrer">
          {say('view_transaction')} <span className="offscreen">({say('opens_new_tab')})</span>
        </a>
      )}
    </div>
  )
}

const placeOf = (pay: PayLeg, amount: string): string => `florin-sent ${pay.id} ${amount}`

function remember(pay: PayLeg, amount: string, txHash: string): void {
  try {
    sessionStorage.setItem(placeOf(pay, amount), txHash)
  } catch {
    // Without storage a reload forgets it; the payment is noticed on the chain all the same.
  }
}

function remembered(pay: PayLeg, amount: string): State | null {
  try {
    const txHash = sessionStorage.getItem(placeOf(pay, amount))
    return txHash !== null && /^0x[0-9a-fA-F]{64}$/.test(txHash) ? { at: 'sent', txHash } : null
  } catch {
    return null
  }
}
