// Asking for a new amount once the old one's rate has lapsed.
import type { PayLeg } from '@florin/protocol'
import { refusalPhrase } from '../api.ts'
import { useShared } from './context.ts'
import { useAct } from './useAct.ts'

export function Requote({ pay, onDone }: { pay: PayLeg; onDone(): void }) {
  const { api, say } = useShared()
  const act = useAct(api.choose)
  return (
    <div className="requote">
      <button
        type="button"
        className="button is-primary"
        aria-disabled={act.isRunning}
        onClick={async () => {
          if (await act.run({ chain: pay.chain, asset: pay.asset, custody: pay.route?.custody ?? 'none' })) onDone()
        }}
      >
        {say(act.isRunning ? 'opening' : 'quote_button')}
      </button>
      {act.refusal === null ? null : (
        <p className="fault" role="alert">
          {say(refusalPhrase(act.refusal, pay.chain))}
        </p>
      )}
    </div>
  )
}
