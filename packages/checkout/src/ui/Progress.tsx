// The steps of a payment that was seen: seen, confirmed n of m, received by the shop.
import type { Step } from '@florin/checkout-core'
import { useShared } from './context.ts'
import { Icon } from './Icon.tsx'

export function Progress({ steps }: { steps: readonly Step[] }) {
  const { say } = useShared()
  if (steps.length === 0) return null
  return (
    <ol className="steps" aria-label={say('progress')}>
      {steps.map((step) => (
        <li key={step.id} className={`step is-${step.state}`} aria-current={step.state === 'now' ? 'step' : undefined}>
          <span className="step-mark" aria-hidden="true">
            {step.state === 'done' ? <Icon name="check" /> : null}
          </span>
          <span className="step-text">
            {say(`step_${step.id}`)} <span className="offscreen">({say(`step_${step.state}`)})</span>
            {step.confirmations === null ? null : <Confirmations {...step.confirmations} />}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Confirmations({ n, of }: { n: number; of: number }) {
  const { say, locale } = useShared()
  const number = new Intl.NumberFormat(locale)
  const text = say('confirmations', { n: number.format(n), of: number.format(of) })
  return (
    <span className="confirmations">
      <span>{text}</span>
      {n < of ? <progress value={n} max={of} aria-label={text} /> : null}
    </span>
  )
}
