// Whether a secret can be guessed: the one rule for keys, tokens and passwords in the settings. Pure.

/** Fewer characters than this are few for a password of another service, which counts guesses. */
const PASSWORD_MIN = 8
/** Of random hexadecimal digits or letters, sixteen in a row hold fewer distinct ones once in ten thousand tokens. */
const DISTINCT_CHARACTERS_MIN = 5
const DISTINCT_BYTES_MIN = 16

const WORDS = new Set(
  (
    'password passwort passw0rd secret changeme letmein welcome qwerty qwertz admin root florin postgres postgresql example ' +
    'default token test mail smtp user iloveyou monkey dragon'
  ).split(' '),
)

/** @param hex 32 bytes that are meant to be random */
export const isGuessableKey = (hex: string): boolean => hasPattern([...Buffer.from(hex, 'hex')], DISTINCT_BYTES_MIN)

/** A word with or without digits and signs around it counts as a word alone: `Password1!`. */
export function isGuessableText(text: string): boolean {
  const word = text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^[0-9]+|[0-9]+$/g, '')
  return (
    text.length < PASSWORD_MIN ||
    WORDS.has(word) ||
    hasPattern(
      [...text].map((each) => each.codePointAt(0) ?? 0),
      DISTINCT_CHARACTERS_MIN,
    )
  )
}

/**
 * Few distinct units, or units that differ by few distinct steps from those some places before: a block again and again,
 * `000102…`, `fefdfc…`, `abcdef…`, and two such rows in each other.
 */
function hasPattern(units: readonly number[], distinctMin: number): boolean {
  if (new Set(units).size < distinctMin) return true
  for (let places = 1; places <= units.length / 2; places++) {
    const steps = units.slice(places).map((unit, n) => (unit - (units[n] ?? 0) + 256) % 256)
    if (new Set(steps).size < Math.max(2, steps.length / 4)) return true
  }
  return false
}
