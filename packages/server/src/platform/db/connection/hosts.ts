// DATABASE_URL with several hosts: postgres://user:password@one:5432,two:5432/florin. The primary is looked for among them, at the
// start and whenever a connection is refused, lost or led to a standby. All pools of a process share what one of them learned.
import { Turns } from './turns.ts'

export interface Hosts {
  isSeveral: boolean
  /** Where connections go now: the URL of one host. */
  current(): string
  /** This host took no connection, or only to read: the next one is tried. Where none is left to try, all wait a little. */
  passOver(url: string): void
  /** This host took a connection that writes. */
  found(): void
  /** To connect, at whichever host. */
  turns: Turns
}

/** After each round of hosts in vain twice as long as before; in between all who wait would spend the processor on trying. */
const PAUSE_MS = { first: 50, most: 500 }

/** Of libpq's words those that mean a server that writes; with several hosts it is what is always wanted. */
const writing = ['read-write', 'primary']

const form = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]+)([/?#].*)?$/

/**
 * A URL for each host.
 * @throws Error with a sentence that holds nothing of the URL, which has a password.
 */
export function urlsOf(text: string, setting = 'DATABASE_URL'): string[] {
  const [, before = '', hosts = '', after = ''] = form.exec(text) ?? []
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`)
  if (hosts === '' || !urls.every((url) => URL.canParse(url)))
    throw new Error(
      `${setting} cannot be read: it is postgres://user:password@host:5432/florin, with hosts after commas.`,
    )
  return urls.map((each) => {
    const url = new URL(each)
    const wanted = url.searchParams.get('target_session_attrs')
    if (wanted !== null && !writing.includes(wanted))
      throw new Error(
        `${setting} has target_session_attrs=${wanted}; Florin writes, so it takes ${writing.join(' or ')}.`,
      )
    url.searchParams.delete('target_session_attrs')
    return url.href
  })
}

const known = new Map<string, Hosts>()

export function hostsOf(text: string): Hosts {
  const found = known.get(text)
  if (found !== undefined) return found
  const urls = urlsOf(text)
  const turns = new Turns()
  let turn = 0
  let passed = 0
  const made: Hosts = {
    turns,
    isSeveral: urls.length > 1,
    current: () => urls[turn] ?? text,
    passOver(url) {
      if (urls.length === 1 || urls[turn] !== url) return
      turn = (turn + 1) % urls.length
      passed++
      const rounds = passed / urls.length
      if (Number.isInteger(rounds)) turns.pause(Math.min(PAUSE_MS.first * 2 ** (rounds - 1), PAUSE_MS.most))
    },
    found() {
      passed = 0
    },
  }
  known.set(text, made)
  return made
}
