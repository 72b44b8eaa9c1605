// The panel of a test order: each button makes one thing happen in the sandbox.
import type { SimulateAction } from '@florin/protocol'
import { refusalPhrase } from '../api.ts'
import { useShared } from './context.ts'
import { Icon } from './Icon.tsx'
import { useAct } from './useAct.ts'

export function TestPanel({ actions }: { actions: readonly SimulateAction[] }) {
  const { api, say } = useShared()
  const act = useAct(api.simulate)
  if (actions.length === 0) return null
  return (
    <section className="test" aria-labelledby="test-title">
      <h2 id="test-title">
        <Icon name="flask" />
        {say('test_panel')}
      </h2>
      <p>{say('test_panel_note')}</p>
      <div className="test-actions">
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            className="button"
            aria-disabled={act.isRunning}
            data-action={action}
            onClick={() => act.run(action)}
          >
            {say(`simulate_${action}`)}
          </button>
        ))}
      </div>
      {act.refusal === null ? null : (
        <p className="fault" role="alert">
          {act.refusal.said === null ? say(refusalPhrase(act.refusal, '')) : <span lang="en">{act.refusal.said}</span>}
        </p>
      )}
    </section>
  )
}
