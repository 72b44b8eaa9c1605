// Taking money back by a signature of the wallet that paid, where a wallet is in this browser.
import { type Checkout, refundMessage } from '@florin/protocol'
import { useState, useSyncExternalStore } from 'react'
import { watchWallets } from '../../wallet/discover.ts'
import { signByWallet } from '../../wallet/sign.ts'
import { useShared } from '../context.ts'
import { useAct } from '../useAct.ts'

interface RefundSignerProps {
  signers: Checkout['refund_signers']
  /** As it stands in the field. */
  address: string
}

/** Long enough to look at it, short enough to be worth little to who finds it. */
const VALID_MS = 3_600_000

export default function RefundSigner({ signers, address }: RefundSignerProps) {
  const { api, say } = useShared()
  const [source] = useState(() => watchWallets(window))
  const wallets = useSyncExternalStore(source.subscribe, source.get)
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle')
  const act = useAct(api.signRefundAddress)
  if (wallets.length === 0) return null

  async function sign(): Promise<void> {
    setState('asking')
    const expiresAt = new Date(Date.now() + VALID_MS).toISOString()
    for (const { service, order_no: orderNo, pay_leg: legId, chain, from } of signers) {
      const text = refundMessage({ service, orderNo, legId, chain, address, expiresAt })
      for (const wallet of wallets) {
        const answer = await signByWallet(wallet.provider, from, text)
        if (answer.kind !== 'signed') continue
        const proof = { pay_leg: legId, from, expires_at: expiresAt, signature: answer.signature }
        setState((await act.run(address, proof)) ? 'idle' : 'failed')
        return
      }
    }
    setState('failed')
  }

  return (
    <div className="refund-signer">
      <p className="hint">{say('refund_sign_note')}</p>
      <button
        type="button"
        className="button is-primary"
        aria-disabled={state === 'asking' || address === ''}
        onClick={() => (state === 'asking' || address === '' ? undefined : void sign())}
      >
        {say(state === 'asking' ? 'refund_signing' : 'refund_sign')}
      </button>
      {state === 'failed' ? (
        <p className="fault" role="alert">
          {say('error_sign')}
        </p>
      ) : null}
    </div>
  )
}
