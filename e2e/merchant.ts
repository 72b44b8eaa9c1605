// A merchant for whole-system tests: signs in over HTTP with the code that a real SMTP server took, makes a key
// and sets an address. Everything goes through the public interface.
import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { until } from './florin.ts'

export interface Inbox {
  smtpUrl: string
  /** Whole messages, as they came. */
  messages: string[]
  /** The newest code sent to this address. */
  codeFor(email: string): Promise<string>
  close(): Promise<void>
}

export async function startInbox(): Promise<Inbox> {
  const messages: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => {
        text += chunk
      })
      stream.on('end', () => {
        messages.push(text)
        done()
      })
    },
  })
  // A Florin that is killed breaks off what it was mailing.
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  let used = 0
  return {
    smtpUrl: `smtp://127.0.0.1:${address.port}`,
    messages,
    async codeFor(email) {
      let code: string | undefined
      await until(() => {
        const index = messages.findIndex((text, n) => n >= used && text.includes(email) && /^\d{6}\r?$/m.test(text))
        if (index === -1) return false
        used = index + 1
        code = /^(\d{6})\r?$/m.exec(messages[index] ?? '')?.[1]
        return code !== undefined
      }, `a mail with a code for ${email}`)
      return code ?? ''
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

export interface Answer<T = Record<string, unknown>> {
  status: number
  headers: Headers
  text: string
  body: T
}

export async function call<T = Record<string, unknown>>(
  url: string,
  method: string,
  a: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Answer<T>> {
  const response = await fetch(url, {
    method,
    headers: { ...(a.body === undefined ? {} : { 'content-type': 'application/json' }), ...a.headers },
    ...(a.body === undefined ? {} : { body: JSON.stringify(a.body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: (text === '' ? {} : JSON.parse(text)) as T }
}

export interface Merchant {
  email: string
  token: string
  apiKey: string
  webhookSecret: string
  console: { authorization: string }
  key: { 'x-api-key': string }
}

/** @returns the console's token. */
export async function signIn(url: string, inbox: Inbox, email: string): Promise<string> {
  await call(`${url}/api/v1/auth/code`, 'POST', { body: { email } })
  const code = await inbox.codeFor(email)
  const login = await call<{ data: { token: string } }>(`${url}/api/v1/auth/login`, 'POST', { body: { email, code } })
  return login.body.data.token
}

export async function signUp(url: string, inbox: Inbox, email: string): Promise<Merchant> {
  const token = await signIn(url, inbox, email)
  const headers = { authorization: `Bearer ${token}` }
  const key = await call<{ data: { api_key: string; webhook_secret: string } }>(`${url}/api/v1/boss/appkeys`, 'POST', {
    headers,
    body: { name: 'shop' },
  })
  await call(`${url}/api/v1/boss/addresses`, 'PUT', {
    headers,
    body: { chain: 'base', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
  })
  const { api_key: apiKey, webhook_secret: webhookSecret } = key.body.data
  return { email, token, apiKey, webhookSecret, console: headers, key: { 'x-api-key': apiKey } }
}
