// The text fields of a form, by their names.
import { useState } from 'react'

interface TextField {
  value: string
  onChange: (event: { currentTarget: { value: string } }) => void
}

export function useTexts<Name extends string>(initial: Record<Name, string>) {
  const [texts, setTexts] = useState(initial)
  const set = (name: Name) => (value: string) => setTexts((before) => ({ ...before, [name]: value }))
  const text = (name: Name): TextField => ({
    value: texts[name],
    onChange: (event) => set(name)(event.currentTarget.value),
  })
  return { texts, set, text }
}
