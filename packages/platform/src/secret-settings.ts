// Settings that are secrets. What is wrong is added to `faults`; a value itself is never echoed, even when it is malformed.
import { isGuessableKey, isGuessableText } from './guessable.ts'

const METRICS_TOKEN_MIN = 16

/** @param name MASTER_KEY, or MASTER_KEY_OLD, which may be made up: with it a database leaves such a key. */
export function readMasterKey(
  name: 'MASTER_KEY' | 'MASTER_KEY_OLD',
  value: string | null,
  faults: string[],
): string | null {
  if (value === null) return null
  if (!/^[0-9a-f]{64}$/i.test(value)) {
    faults.push(`${name} must be 64 hexadecimal characters (32 bytes), such as \`openssl rand -hex 32\` prints.`)
    return null
  }
  if (name === 'MASTER_KEY' && isGuessableKey(value)) {
    faults.push(
      'MASTER_KEY is not random: it follows a pattern, so it can be guessed. Make one with ' +
        '`openssl rand -hex 32`. If the database was set up with this key, give it as MASTER_KEY_OLD beside the new one.',
    )
  }
  return value.toLowerCase()
}

const urlSecrets = ['DATABASE_URL', 'MIGRATE_DATABASE_URL', 'BACKUP_DRILL_URL', 'SMTP_URL'] as const
type UrlSecrets = Readonly<Record<(typeof urlSecrets)[number], string | null>>

/** Refuses what stands in examples, and a token of our own that can be guessed. */
export function refuseSamples(secrets: UrlSecrets & Record<'METRICS_TOKEN', string | null>, faults: string[]): void {
  for (const name of urlSecrets) {
    if (passwordsIn(secrets[name]).some((password) => password.toLowerCase() === 'password'))
      faults.push(`${name} has the password of the documentation, "password". Set a password of your own there.`)
  }
  const token = secrets.METRICS_TOKEN
  if (token === null) return
  const how = 'Make one with `openssl rand -hex 16`.'
  if (token.length < METRICS_TOKEN_MIN) {
    faults.push(`METRICS_TOKEN must have at least ${METRICS_TOKEN_MIN} characters. ${how}`)
  } else if (isGuessableText(token)) faults.push(`METRICS_TOKEN follows a pattern, so it can be guessed. ${how}`)
}

/** Settings whose password can be guessed. Another service gave it out, so it is reported and not refused. */
export const guessablePasswords = (secrets: UrlSecrets): string[] =>
  urlSecrets.filter((name) => passwordsIn(secrets[name]).some(isGuessableText))

/** Of the user part and of the query, where clients of PostgreSQL take one too. A URL that cannot be read is reported where it is read. */
function passwordsIn(url: string | null): string[] {
  const [, ofUser] = /^[a-z+]+:\/\/[^:@/]*:([^@/]*)@/i.exec(url ?? '') ?? []
  const [, query = ''] = /\?([^#]*)/.exec(url ?? '') ?? []
  const ofQuery = new URLSearchParams(query).getAll('password')
  return ofUser === undefined ? ofQuery : [decoded(ofUser), ...ofQuery]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
