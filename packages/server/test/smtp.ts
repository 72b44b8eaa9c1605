// A real SMTP server for tests: it keeps what it was sent and can be told to refuse, to hang or to close.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** As it came over the wire. */
  raw: string
  secure: boolean
  user: string | null
}

export interface TestSmtp {
  readonly port: number
  readonly received: ReceivedMail[]
  /** Every log-in that was tried. */
  readonly logins: { user: string; password: string }[]
  stop(): Promise<void>
}

export interface TestSmtpOptions {
  /** 0: any free port. */
  port?: number
  startTls?: boolean
  secure?: boolean
  /** Who may log in; left out, nobody is asked to. */
  user?: { name: string; password: string }
  /** Answered to the recipient, or after the content. */
  refuseRecipient?: { code: number; text: string }
  refuseContent?: { code: number; text: string }
}

/** Listens on loopback until the test ends. */
export async function startSmtp(t: TestContext, options: TestSmtpOptions = {}): Promise<TestSmtp> {
  const received: ReceivedMail[] = []
  const logins: TestSmtp['logins'] = []
  const { user } = options
  const settings: SMTPServerOptions = {
    secure: options.secure ?? false,
    authOptional: user === undefined,
    allowInsecureAuth: true,
    disabledCommands: [...(options.startTls === true ? [] : ['STARTTLS']), ...(user === undefined ? ['AUTH'] : [])],
    disableReverseLookup: true,
    logger: false,
    onAuth(auth, _session, done) {
      logins.push({ user: auth.username ?? '', password: auth.password ?? '' })
      const fits = auth.username === user?.name && auth.password === user?.password
      done(
        fits ? null : smtpError(535, 'Authentication credentials invalid'),
        fits ? { user: auth.username } : undefined,
      )
    },
    onRcptTo(_address, _session, done) {
      done(options.refuseRecipient ? smtpError(options.refuseRecipient.code, options.refuseRecipient.text) : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (options.refuseContent) return done(smtpError(options.refuseContent.code, options.refuseContent.text))
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((recipient) => recipient.address),
          raw: Buffer.concat(chunks).toString('latin1'),
          secure: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
        })
        done(null, 'taken')
      })
    },
  }
  const server = new SMTPServer(settings)
  // A client that breaks off is part of what is tested.
  server.on('error', () => undefined)
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the SMTP server has no port')
  let stopped: Promise<void> | null = null
  const stop = (): Promise<void> => {
    stopped ??= new Promise((resolve) => server.close(() => resolve()))
    return stopped
  }
  t.after(stop)
  return { port: address.port, received, logins, stop }
}

function smtpError(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code })
}

/** A server that says only these lines, one for each thing it hears, then nothing more. */
export function startSilentServer(t: TestContext, lines: readonly string[]): Promise<{ port: number }> {
  return startServer(t, (socket) => {
    const left = [...lines]
    const say = (): void => {
      const line = left.shift()
      if (line !== undefined) socket.write(`${line}\r\n`)
    }
    say()
    socket.on('data', say)
  })
}

/** A server that says the same line again and again. */
export function startDrippingServer(t: TestContext, line: string): Promise<{ port: number }> {
  return startServer(t, (socket) => {
    const drip = setInterval(() => socket.write(`${line}\r\n`), 20)
    socket.on('close', () => clearInterval(drip))
  })
}

async function startServer(t: TestContext, greet: (socket: Socket) => void): Promise<{ port: number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    greet(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { port: address.port }
}

export function parseMail(mail: ReceivedMail | undefined): Promise<Email> {
  if (mail === undefined) throw new Error('no mail arrived')
  return PostalMime.parse(Buffer.from(mail.raw, 'latin1'))
}
