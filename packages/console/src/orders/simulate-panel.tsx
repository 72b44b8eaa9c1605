// The buttons that drive a test order: each makes one thing happen, and those that cannot say why.
import type { Order } from '@florin/protocol'
import { Button, Text, Tooltip } from '@mantine/core'
import { ErrorNote } from '../ui/state.tsx'
import { simulationSteps } from './acts.ts'
import classes from './orders.module.css'
import { useSimulate } from './queries.ts'

export function SimulatePanel({ order }: { order: Order }) {
  const simulate = useSimulate(order.order_no)
  const running = simulate.isPending ? simulate.variables.action : null
  const steps = simulationSteps(order)
  if (steps.every((step) => step.why !== null)) {
    return (
      <section className={classes.simulate} aria-label="Simulate">
        <Text size="sm" c="dimmed">
          This order has come to its end; nothing more can happen to it.
        </Text>
      </section>
    )
  }
  return (
    <section className={classes.simulate} aria-label="Simulate">
      <Text size="sm">
        <strong>Simulate.</strong> Nothing advances by itself in test mode: you decide what happens next.
      </Text>
      <div className={classes.steps}>
        {steps.map((step) => (
          <Tooltip key={step.action} label={step.why ?? step.text}>
            <Button
              variant="default"
              // Not `disabled`: a button that cannot be reached cannot say why it does nothing.
              aria-disabled={step.why !== null}
              {...(step.why === null ? {} : { 'data-disabled': true })}
              loading={running === step.action}
              // One after the other, and to be seen: a click that is not taken must not look as if it were.
              disabled={running !== null && running !== step.action}
              onClick={() => {
                if (step.why === null) simulate.mutate({ action: step.action })
              }}
            >
              {step.label}
            </Button>
          </Tooltip>
        ))}
      </div>
      <div aria-live="polite">
        <ErrorNote error={simulate.error} />
      </div>
    </section>
  )
}
