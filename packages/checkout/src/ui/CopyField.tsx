// One thing to copy: its name, its text to the digit, and a button that says when it is done.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useShared } from './context.ts'
import { Icon } from './Icon.tsx'

interface CopyFieldProps {
  label: string
  /** What lands on the clipboard. */
  text: string
  /** How it is shown; the same characters. */
  children: ReactNode
  /** The button's full name: "Copy address". */
  action: string
  note?: string
}

export function CopyField({ label, text, children, action, note }: CopyFieldProps) {
  const { say, announce } = useShared()
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const shown = useRef<HTMLElement>(null)
  useEffect(() => {
    if (state !== 'copied') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])

  async function copy(): Promise<void> {
    const isDone = await writeClipboard(text, shown.current)
    setState(isDone ? 'copied' : 'failed')
    announce(isDone ? `${label}: ${say('copied')}` : say('copy_failed'))
  }

  return (
    <div className="field">
      <dt>{label}</dt>
      <dd>
        <span className="value" ref={shown}>
          {children}
        </span>
        <button
          type="button"
          className={`copy ${state === 'copied' ? 'is-done' : ''}`}
          aria-label={action}
          onClick={copy}
        >
          <Icon name={state === 'copied' ? 'check' : 'copy'} />
          <span>{say(state === 'copied' ? 'copied' : 'copy')}</span>
        </button>
        {note === undefined ? null : <span className="field-note">{note}</span>}
        {state === 'failed' ? <span className="field-note is-bad">{say('copy_failed')}</span> : null}
      </dd>
    </div>
  )
}

function wasCopied(): boolean {
  try {
    return document.execCommand('copy')
  } catch {
    return false
  }
}

/** Without TLS browsers hide the clipboard; then the text is selected and the old command is tried. */
async function writeClipboard(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (shown === null) return false
    const carrier = document.createElement('textarea')
    carrier.value = text
    carrier.readOnly = true
    carrier.className = 'offscreen'
    shown.after(carrier)
    carrier.select()
    const isDone = wasCopied()
    carrier.remove()
    // Left selected, so that copying by hand is one key away.
    if (!isDone) window.getSelection()?.selectAllChildren(shown)
    return isDone
  }
}
