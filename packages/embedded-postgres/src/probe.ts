// Whether a PostgreSQL serves connections, asked as pg_isready asks: by the first message of its protocol, without a
// driver and without logging in.
import { connect } from 'node:net'

const AUTHENTICATION_REQUEST = 0x52
const PROTOCOL_3_0 = 196_608

/** True once it asks this user for the password, for which it has looked the user up in the catalog. */
export function answers(a: { port: number; user: string; withinMs: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(a.port, '127.0.0.1', () => socket.write(startupMessage(a.user)))
    const settle = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(a.withinMs, () => settle(false))
    socket.once('data', (chunk) => settle(chunk[0] === AUTHENTICATION_REQUEST))
    // An error is followed by a close.
    socket.once('error', () => undefined)
    socket.once('close', () => settle(false))
  })
}

function startupMessage(user: string): Buffer {
  const parameters = Buffer.from(`user\0${user}\0database\0postgres\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + parameters.length, 0)
  head.writeInt32BE(PROTOCOL_3_0, 4)
  return Buffer.concat([head, parameters])
}
