// The memo on its own, before the address is shown: who has copied both at once forgets the one that matters.
import type { PayLeg } from '@florin/protocol'
import { CopyField } from './CopyField.tsx'
import { useShared } from './context.ts'
import { Icon } from './Icon.tsx'
import { QrCode } from './QrCode.tsx'

export function MemoStep({ memo, onTaken }: { memo: NonNullable<PayLeg['memo']>; onTaken(): void }) {
  const { say } = useShared()
  return (
    <section className="memo-step" aria-labelledby="memo-step">
      <h3 id="memo-step">{say('memo_first_title')}</h3>
      <p>{say('memo_first_note')}</p>
      <div className="qr-box">
        <QrCode text={memo} label={say('qr_alt_memo')} />
      </div>
      <dl className="fields">
        <CopyField label={say('memo')} text={memo} action={say('copy_memo')}>
          <span className="code">{memo}</span>
        </CopyField>
      </dl>
      <p className="network-warning">
        <Icon name="warning" />
        <span>{say('memo_exchange')}</span>
      </p>
      <button type="button" className="button is-primary" onClick={onTaken}>
        {say('memo_confirm')}
      </button>
    </section>
  )
}
