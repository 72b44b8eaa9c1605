// The list of the chooser by keyboard: which option is active, and what the keys of a combobox do.
import { type KeyboardEvent, useState } from 'react'

export interface Options {
  active: number
  setActive(n: number): void
  onKeyDown(event: KeyboardEvent): void
}

interface OptionsUse {
  /** The id of the list; its options are `${listId}-${n}`. */
  listId: string
  count: number
  /** Differs whenever the list is another one, so that its first option is active. */
  version: string
  onPick(n: number): void
  onEscape(): void
}

const PAGE = 8

export function useOptions({ listId, count, version, onPick, onEscape }: OptionsUse): Options {
  const [at, setAt] = useState({ version, n: 0 })
  const last = count - 1
  const active = at.version === version ? Math.min(at.n, Math.max(0, last)) : 0
  const setActive = (n: number): void => setAt({ version, n })

  function move(n: number): void {
    setActive(n)
    document.getElementById(`${listId}-${n}`)?.scrollIntoView({ block: 'nearest' })
  }

  return {
    active,
    setActive,
    onKeyDown(event) {
      if (event.nativeEvent.isComposing) return
      const moves: Readonly<Record<string, number>> = {
        ArrowDown: active >= last ? 0 : active + 1,
        ArrowUp: active <= 0 ? last : active - 1,
        PageDown: Math.min(last, active + PAGE),
        PageUp: Math.max(0, active - PAGE),
      }
      const next = moves[event.key]
      if (next !== undefined && count > 0) move(next)
      else if (event.key === 'Enter' && count > 0) onPick(active)
      else if (event.key === 'Escape') onEscape()
      else return
      event.preventDefault()
    },
  }
}
