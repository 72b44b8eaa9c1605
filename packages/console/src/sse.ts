// The reading of server-sent events from bytes. The console's stream needs an Authorization header, which the
// browser's EventSource cannot send. Pure: text in, events out, whatever the pieces it arrives in.

export interface ServerEvent {
  event: string
  data: string
}

/** Takes text as it arrives and answers with the events that are complete. */
export function makeEventParser(): (text: string) => ServerEvent[] {
  let rest = ''
  let event = ''
  let data: string[] = []

  return (text) => {
    const done: ServerEvent[] = []
    // A CR at the end may be the first half of a CRLF, so it waits for what follows.
    const all = rest + text
    const end = all.endsWith('\r') ? all.length - 1 : all.length
    const lines = all.slice(0, end).split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '') + all.slice(end)
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) done.push({ event: event === '' ? 'message' : event, data: data.join('\n') })
        event = ''
        data = []
        continue
      }
      const colon = line.indexOf(':')
      if (colon === 0) continue
      const name = colon === -1 ? line : line.slice(0, colon)
      const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (name === 'event') event = value
      if (name === 'data') data.push(value)
    }
    return done
  }
}

/** Milliseconds before the next try: doubling from 1 s to 30 s, spread so that many tabs do not return at once. */
export function reconnectWait(failures: number, random: number): number {
  const full = Math.min(30_000, 1000 * 2 ** Math.max(0, failures - 1))
  return Math.round(full * (0.5 + random / 2))
}
