// The sign of a chain: its id, or its coin where the id is long, on a tint made from the id. No brand's picture is used.
import classes from './chain-icon.module.css'

/** A hue from 0 to 359, the same for the same id always. */
function hueOf(id: string): number {
  let hash = 7
  for (const char of id) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 36_000
  return hash % 360
}

export function ChainIcon({ id, symbol, size = 26 }: { id: string; symbol: string; size?: number }) {
  const letters = (id.length <= 4 ? id : symbol)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 4)
    .toUpperCase()
  const fontSize = size * (letters.length > 3 ? 0.27 : letters.length > 2 ? 0.33 : 0.4)
  return (
    <span
      aria-hidden="true"
      className={classes.icon}
      style={{ width: size, height: size, fontSize, '--hue': hueOf(id) } as React.CSSProperties}
    >
      {letters}
    </span>
  )
}
