// The time left, counted in the server's time. It is quiet for screen readers but for a few announced moments.
import { useEffect, useRef, useState } from 'react'
import { announcementDue, countdownText, durationWords, type ServerTime, serverNow } from '../clock.ts'
import { useShared } from './context.ts'
import { Icon } from './Icon.tsx'

/** From here on the time left stands out. */
const SHORT_MS = 120_000

export function Countdown({ until, label, told }: { until: string; label: string; told: ServerTime }) {
  const { say, announce, locale } = useShared()
  const untilMs = Date.parse(until)
  const [now, setNow] = useState(() => serverNow(told, performance.now()))
  const before = useRef(now)
  useEffect(() => {
    const tick = (): void => {
      const next = serverNow(told, performance.now())
      if (announcementDue(untilMs, before.current, next) !== null) {
        announce(say('time_left_spoken', { time: durationWords(untilMs, next, locale) }))
      }
      before.current = next
      setNow(next)
    }
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [told, untilMs, announce, say, locale])
  return (
    <p className={`countdown ${untilMs - now <= SHORT_MS ? 'is-short' : ''}`} role="timer" aria-live="off">
      <Icon name="clock" />
      <span className="countdown-label">{label}</span>
      <span className="countdown-time">{countdownText(untilMs, now)}</span>
    </p>
  )
}
