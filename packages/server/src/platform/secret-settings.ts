// Settings that are secrets. What is wrong is added to `faults`; a value itself is never echoed, even when it is malformed.
import { isMadeUp } from './secrets.ts'

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
  if (name === 'MASTER_KEY' && isMadeUp(value)) {
    faults.push(
      'MASTER_KEY is not random: it has few distinct bytes or repeats a block, so it can be guessed. Make one with ' +
        '`openssl rand -hex 32`. If the database was set up with this key, give it as MASTER_KEY_OLD beside the new one.',
    )
  }
  return value.toLowerCase()
}

/** Refuses what stands in examples. */
export function refuseSamples(
  secrets: Readonly<Record<'DATABASE_URL' | 'SMTP_URL' | 'METRICS_TOKEN', string | null>>,
  faults: string[],
): void {
  for (const name of ['DATABASE_URL', 'SMTP_URL'] as const) {
    // DATABASE_URL may name several hosts, which URL does not read.
    const [, password] = /^[a-z+]+:\/\/[^:@/]*:([^@/]*)@/i.exec(secrets[name] ?? '') ?? []
    if (password?.toLowerCase() === 'password')
      faults.push(`${name} has the password of the documentation, "password". Set a password of your own there.`)
  }
  const token = secrets.METRICS_TOKEN
  if (token !== null && token.length < METRICS_TOKEN_MIN) {
    faults.push(
      `METRICS_TOKEN must have at least ${METRICS_TOKEN_MIN} characters, such as \`openssl rand -hex 16\` prints.`,
    )
  }
}
