// The loading of the database driver. postgres.js 3.4.9 goes wrong when a connection is lost at certain moments:
// the process dies on a write to a socket that is gone, a connection never comes back, and statements of a transaction
// that was cut off run on the new connection, inside another transaction. Upstream knows (issues 1154, 1189, 1208, 1216);
// until a release mends it, the few lines at fault are mended while they are loaded. A version whose lines read
// differently does not load at all, so that nobody upgrades past this without looking.
import { registerHooks } from 'node:module'

interface Mend {
  /** Stands in the file exactly once. */
  at: string
  becomes: string
}

const connection: readonly Mend[] = [
  {
    // What was not written yet, and the query under way, belong to the old connection. An error event comes before the
    // close, and a rollback may have been handed over between the two.
    at: `socket = null

    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(`,
    becomes: `socket = chunk = nextWriteTimer = null

    if (initial) {
      query = results = errorResponse = null
      result = new Result()
      return reconnect()
    }

    const lost = query || sent.length
    lost && error(`,
  },
  {
    at: `hadError && options.shared.retries++`,
    becomes: `query = results = errorResponse = null
    result = new Result()
    hadError && options.shared.retries++`,
  },
  {
    // Only a transaction still holds a connection that is gone. True: it must stay in the queue of closed ones.
    at: `if (stream)
      return queryError(q,`,
    becomes: `if (socket === null)
      return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true

    if (stream)
      return queryError(q,`,
  },
  {
    // Nobody waits for this question but the driver itself, which asks it again on the next connection.
    at: `order by b.oid
    \`], [], execute)`,
    becomes: `order by b.oid
    \`], [], execute).catch(() => [])`,
  },
  {
    // BEGIN must reserve its connection, also when the pipeline or the socket's buffer is full with it.
    at: `return write(toBuffer(q))
        && !q.describeFirst`,
    becomes: `const isWritten = write(toBuffer(q))
      if (q.options.onexecute)
        return q.options.onexecute(connection)
      return isWritten
        && !q.describeFirst`,
  },
]

const transactions: readonly Mend[] = [
  {
    at: `new Promise((_, reject) => connection.onclose = reject)`,
    becomes: `new Promise((_, reject) => connection.onclose = (error) => {
          lost = error
          while (queries.length)
            queries.shift().reject(error)
          reject(error)
        })`,
  },
  {
    at: `let savepoints = 0
      , connection`,
    becomes: `let savepoints = 0
      , lost = null
      , connection`,
  },
  {
    at: `q.catch(e => uncaughtError || (uncaughtError = e))`,
    becomes: `q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost)
          return q.reject(lost)`,
  },
]

const files = new Map([
  [/\/postgres\/src\/connection\.js$/, connection],
  [/\/postgres\/src\/index\.js$/, transactions],
])

let mended = 0

function mend(source: string, mends: readonly Mend[]): string {
  let text = source
  for (const { at, becomes } of mends) {
    if (text.split(at).length !== 2)
      throw new Error(
        'This is another postgres.js than platform/db/driver.ts was written for. Look whether its faults are gone.',
      )
    text = text.replace(at, () => becomes)
  }
  mended += 1
  return text
}

const textOf = (source: unknown): string =>
  source instanceof Uint8Array ? Buffer.from(source).toString() : String(source)

const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    for (const [name, mends] of files) {
      if (name.test(url)) return { ...loaded, source: mend(textOf(loaded.source), mends) }
    }
    return loaded
  },
})
const { default: driver } = await import('postgres')
hooks.deregister()
if (mended !== files.size) throw new Error('postgres.js was loaded before platform/db/driver.ts; import it from there.')

export { driver }
