// The choice of language, kept on this device.
import { isLanguage, type Language, languages } from '@florin/checkout-core'
import { useShared } from './context.ts'

const keptAt = 'florin-checkout-language'

export function savedLanguage(): Language | null {
  try {
    const saved = localStorage.getItem(keptAt)
    return saved !== null && isLanguage(saved) ? saved : null
  } catch {
    return null
  }
}

export function LanguageMenu({ language, onChoose }: { language: Language; onChoose(language: Language): void }) {
  const { say } = useShared()
  return (
    <label className="language">
      <span className="offscreen">{say('language')}</span>
      <select
        value={language}
        onChange={(event) => {
          const next = event.target.value
          if (!isLanguage(next)) return
          try {
            localStorage.setItem(keptAt, next)
          } catch {
            // Then it is chosen again next time.
          }
          onChoose(next)
        }}
      >
        {Object.entries(languages).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
