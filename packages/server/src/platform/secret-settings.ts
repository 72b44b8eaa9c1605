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

type UrlSecrets = Readonly<Record<'DATABASE_URL' | 'SMTP_URL', string | null>>

/** Refuses what stands in examples, and a token of our own that can be guessed. */
export function refuseSamples(
  secrets: UrlSecrets & Record<'MIGRATE_DATABASE_URL' | 'METRICS_TOKEN', string | null>,
  faults: string[],
): void {
  for (const name of ['DATABASE_URL', 'MIGRATE_DATABASE_URL', 'SMTP_URL'] as const) {
    if (passwordIn(secrets[name])?.toLowerCase() === 'password')
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
export function guessablePasswords(secrets: UrlSecrets): string[] {
  return (['DATABASE_URL', 'SMTP_URL'] as const).filter((name) => {
    const password = passwordIn(secrets[name])
    return password !== null && isGuessableText(password)
  })
}

/** A URL that cannot be read is reported where it is read. */
function passwordIn(url: string | null): string | null {
  const [, password] = /^[a-z+]+:\/\/[^:@/]*:([^@/]*)@/i.exec(url ?? '') ?? []
  if (password === undefined) return null
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
