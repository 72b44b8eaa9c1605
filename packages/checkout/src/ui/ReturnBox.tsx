// The way back to the shop: a button always, and by itself a few seconds after a payment that the payer watched.
import { useEffect, useState } from 'react'
import { useShared } from './context.ts'

/** Long enough to read "Paid" and to stop it. */
const SECONDS = 10

export function ReturnBox({ url, isPrimary, isAutomatic }: { url: string; isPrimary: boolean; isAutomatic: boolean }) {
  const { say } = useShared()
  const [left, setLeft] = useState(SECONDS)
  const [isStopped, setStopped] = useState(false)
  const isRunning = isAutomatic && !isStopped
  const isDue = isRunning && left <= 0
  useEffect(() => {
    if (!isRunning || isDue) return
    // A page in the background waits: nobody is sent away from what they have not seen.
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setLeft((seconds) => seconds - 1)
    }, 1000)
    return () => clearInterval(timer)
  }, [isRunning, isDue])
  // Once: asking again while the shop's page loads would begin its loading anew.
  useEffect(() => {
    if (isDue) window.location.assign(url)
  }, [isDue, url])
  return (
    <div className="return">
      <a className={`button ${isPrimary ? 'is-primary' : ''}`} href={url}>
        {say('return_button')}
      </a>
      {isRunning ? (
        <p className="return-soon">
          <span>{say('return_soon', { seconds: String(left) })}</span>{' '}
          <button type="button" className="link" onClick={() => setStopped(true)}>
            {say('stay')}
          </button>
        </p>
      ) : null}
    </div>
  )
}
