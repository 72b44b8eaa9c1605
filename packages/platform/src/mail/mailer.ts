// Sends mail over SMTP. With no SMTP server (loopback install only) mail is printed on the terminal. A failure reports
// only whether a retry can help and what the server answered: never what the mail says.
export interface Mail {
  /** One bare address, already checked: ASCII, no display name, no list. */
  to: string
  subject: string
  /** Plain text. Pure ASCII in short lines travels as 7bit, anything else as quoted-printable. */
  text: string
  /** The same for programs that show it; left out, the mail is text alone. */
  html?: string
  /** Where one click ends mails of this kind (RFC 2369, RFC 8058). */
  off?: string
  /** The shop's logo, by the name that its picture is found by when the mail is sent, and where `html` shows it. */
  logo?: { id: string; tag: string }
  /** That picture, a PNG. */
  picture?: Uint8Array
}

/** Names the picture within the mail (RFC 2392). */
export const LOGO_CID = 'logo@florin'

export interface Mailer {
  /** @throws MailRefused when the server will never take it, another Error when a later try may help. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** The server permanently rejected this mail (5xx to its sender, recipient or content). */
export class MailRefused extends Error {}
/** The mail did not get through this time. */
export class MailNotSent extends Error {}

export interface SmtpTimeouts {
  connectMs: number
  /** The longest silence of the server within a conversation. */
  silenceMs: number
  /** The whole conversation: a server that trickles must not hold up other mail. */
  wholeMs: number
}

const defaultTimeouts: SmtpTimeouts = { connectMs: 10_000, silenceMs: 15_000, wholeMs: 60_000 }

/**
 * @param smtpUrl `smtp://user:password@host:587` (STARTTLS where offered) or `smtps://…:465` (TLS from the start).
 * Query parameters reach the SMTP library: `?requireTLS=true`, `?tls.rejectUnauthorized=false`. With a password in the
 * URL STARTTLS is required, since nobody may be able to strip it and read the password; `?requireTLS=false` gives that
 * up.
 */
export function smtpMailer(smtpUrl: string, from: string, timeouts: SmtpTimeouts = defaultTimeouts): Mailer {
  let opened: ReturnType<typeof transportTo> | null = null
  return {
    async send(mail) {
      opened ??= transportTo(smtpUrl, from, timeouts)
      const transport = await opened
      try {
        const conversation = transport.sendMail({
          to: { name: '', address: mail.to },
          subject: mail.subject,
          text: mail.text,
          ...(mail.html === undefined ? {} : { html: mail.html }),
          ...(mail.picture === undefined ? {} : { attachments: [inline(mail.picture)] }),
          ...(mail.off === undefined ? {} : { headers: unsubscribe(mail.off) }),
          ...(isSevenBit(mail.text) ? {} : { textEncoding: 'quoted-printable' as const }),
        })
        await within(timeouts.wholeMs, conversation)
      } catch (error) {
        throw failureOf(error)
      }
    },
    close: () => void opened?.then((transport) => transport.close()),
  }
}

async function transportTo(smtpUrl: string, from: string, timeouts: SmtpTimeouts) {
  // With the first conversation: loading it is a fifteenth of the work of a start.
  const { createTransport } = await import('nodemailer')
  const hasPassword = new URL(smtpUrl).password !== ''
  // The URL's parameters override these.
  return createTransport(
    {
      url: smtpUrl,
      requireTLS: hasPassword,
      connectionTimeout: timeouts.connectMs,
      greetingTimeout: timeouts.connectMs,
      dnsTimeout: timeouts.connectMs,
      socketTimeout: timeouts.silenceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    {
      from,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    },
  )
}

/** Signs in where mail is handed over, and hands over none. @throws MailNotSent or MailRefused with what was answered. */
export async function greetMailServer(smtpUrl: string, timeouts: SmtpTimeouts = defaultTimeouts): Promise<void> {
  const transport = await transportTo(smtpUrl, 'florin@localhost', timeouts)
  try {
    await within(timeouts.wholeMs, transport.verify())
  } catch (error) {
    throw failureOf(error)
  } finally {
    transport.close()
  }
}

/** A part of the mail itself: nothing is loaded from anywhere when it is read, and nobody learns that it was. */
const inline = (png: Uint8Array) => ({
  ...{ filename: 'logo.png', content: Buffer.from(png), contentType: 'image/png', cid: LOGO_CID },
  contentDisposition: 'inline' as const,
})

/** The address may be longer than a line: it is not folded, or programs that post to it would cut it. */
const unsubscribe = (url: string): Record<string, string | { prepared: boolean; value: string }> => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** The library cannot abort a conversation; one that continues is abandoned and its result ignored. */
async function within(ms: number, conversation: Promise<unknown>): Promise<void> {
  conversation.catch(() => undefined)
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(Object.assign(new Error('the conversation took too long'), { code: 'ETIMEDOUT' })),
      ms,
    )
  })
  try {
    await Promise.race([conversation, tooLong])
  } finally {
    clearTimeout(timer)
  }
}

function isSevenBit(text: string): boolean {
  return /^[\t\n\x20-\x7e]*$/.test(text) && text.split('\n').every((line) => line.length <= 76)
}

/**
 * The library's error contains the whole conversation; only what an operator needs is kept: the server's answer, or what
 * kept it from answering (`connect ECONNREFUSED …`, a certificate that is not trusted).
 */
function failureOf(error: unknown): Error {
  const { code, responseCode, response, message } = error as Partial<Record<string, unknown>>
  const kind = typeof code === 'string' ? code : 'unknown'
  const said = [response, message].find((text): text is string => typeof text === 'string' && text !== '')
  const answer = said === undefined ? '' : `: ${said.replace(/\s+/g, ' ').trim().slice(0, 200)}`
  const status = typeof responseCode === 'number' ? responseCode : null
  // A rejected login or greeting is the operator's to fix, so those are retried.
  const aboutThisMail = kind === 'EENVELOPE' || kind === 'EMESSAGE'
  return aboutThisMail && (status === null || status >= 500)
    ? new MailRefused(`${kind}${answer}`)
    : new MailNotSent(`${kind}${answer}`)
}

/** Prints each mail, clearly marked, so that a newcomer finds the sign-in code. */
export function terminalMailer(print: (text: string) => void): Mailer {
  return {
    async send(mail) {
      const lines = [`To: ${mail.to}`, `Subject: ${mail.subject}`, '', ...mail.text.trim().split('\n')]
      print(
        `\n┌── mail (no SMTP_URL is set, so it is shown here) ──\n${lines.map((line) => `│ ${line}`).join('\n')}\n└──\n`,
      )
    },
    close: () => undefined,
  }
}
