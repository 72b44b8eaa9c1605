// The words in the middle of the page: what is going on or how it ended, and what happens with the money.

import type { Screen, Tone } from '@florin/checkout-core'
import type { RefObject } from 'react'
import { useShared } from './context.ts'
import { Icon, type IconName } from './Icon.tsx'

const marks: Readonly<Record<Tone, IconName | null>> = {
  calm: 'clock',
  busy: null,
  good: 'check',
  warn: 'warning',
  bad: 'cross',
}

interface OutcomeProps {
  screen: Screen
  /** Takes the focus after an act of the payer's changed the page. */
  heading: RefObject<HTMLHeadingElement | null>
}

export function Outcome({ screen, heading }: OutcomeProps) {
  const { say } = useShared()
  const mark = marks[screen.tone]
  return (
    <div className={`outcome is-${screen.tone}`}>
      <span className="outcome-mark" aria-hidden="true">
        {mark === null ? <span className="spinner" /> : <Icon name={mark} />}
      </span>
      <h2 ref={heading} tabIndex={-1}>
        {say(screen.headline)}
      </h2>
      <Notes screen={screen} />
    </div>
  )
}

export function Notes({ screen }: { screen: Screen }) {
  const { say } = useShared()
  return screen.notes.map((note) => {
    const text = say(note)
    return (
      <p key={text} className="note">
        {text}
      </p>
    )
  })
}
