// The frame of a guide: steps in order, each ticked by data, one open.
import { Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import classes from './guide.module.css'

interface Row<S> {
  step: S
  title: string
  isDone: boolean
  /** What is there already, beside the step's name. */
  summary: string
  /** Stands above the first of those that may be left out. */
  heading?: string
}

interface StepsProps<S> {
  label: string
  title: string
  steps: readonly Row<S>[]
  shown: S | null
  onShow: (step: S | null) => void
  body: (step: S) => ReactNode
}

export function Steps<S extends string>({ label, title, steps, shown, onShow, body }: StepsProps<S>) {
  const done = steps.filter((row) => row.isDone).length
  return (
    <section className={classes.guide} aria-label={label}>
      <header className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <Text size="sm" c="dimmed" aria-live="polite">
          {done} of {steps.length} done
        </Text>
      </header>
      <ol className={classes.steps}>
        {steps.map(({ step, title: name, isDone, summary, heading }, n) => (
          <li key={step} className={classes.step} data-done={isDone ? true : undefined}>
            {heading === undefined ? null : <p className={classes.heading}>{heading}</p>}
            <UnstyledButton
              className={classes.stepHead}
              aria-expanded={shown === step}
              onClick={() => onShow(shown === step ? null : step)}
            >
              <span className={classes.tick}>{isDone ? <Icon name="check" size={14} /> : n + 1}</span>
              <span className={classes.stepTitle}>{name}</span>
              <span className={classes.summary}>{summary}</span>
              <Icon name={shown === step ? 'down' : 'right'} size={15} />
            </UnstyledButton>
            {shown === step ? <div className={classes.body}>{body(step)}</div> : null}
          </li>
        ))}
      </ol>
    </section>
  )
}
