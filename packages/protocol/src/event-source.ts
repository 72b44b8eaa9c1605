// Reading text/event-stream (the "Server-sent events" section of the HTML standard) from a stream of bytes.
// A message may carry an id and no data: then it only moves the place to resume from.

export interface ServerMessage {
  /** The event's name; "message" where none is given. */
  readonly event: string
  readonly data: string
  /** The newest id seen on the stream so far, or null. */
  readonly id: string | null
  /** How long to wait before connecting again, where the server just said so, in milliseconds. */
  readonly retryMs: number | null
}

/** A line longer than this is no event of ours: an order is 64 KiB at most. */
const LINE_MAX_CHARS = 1024 * 1024

/** Yields each message, a message without data too. `onBytes` hears every chunk, comments included. */
export async function* serverMessages(
  stream: ReadableStream<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<ServerMessage, void, undefined> {
  let id: string | null = null
  let retryMs: number | null = null
  let event = ''
  let data: string[] = []
  for await (const line of lines(stream, onBytes)) {
    if (line === '') {
      yield { event: event || 'message', data: data.join('\n'), id, retryMs }
      event = ''
      data = []
      retryMs = null
      continue
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) retryMs = Number(value)
  }
}

/** The complete lines; they end with LF, CRLF or CR. What is cut off at the end of the stream is dropped. */
async function* lines(
  stream: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      rest += decoder.decode(value, { stream: true })
      // A CR at the very end may be the first half of a CRLF: it waits for what follows.
      const parts = rest.split(/\r\n|\n|\r(?!$)/)
      rest = parts.pop() ?? ''
      if (rest.length > LINE_MAX_CHARS) throw new Error('A line of the event stream is too long.')
      yield* parts
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
