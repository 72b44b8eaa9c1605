// Owns the sending of mail over SMTP. With no SMTP server (loopback install only) mail is shown on the terminal.
import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  /** Plain text, 7-bit. */
  text: string
}

export interface Mailer {
  /** @throws when the SMTP server did not take the mail. */
  send(mail: Mail): Promise<void>
  close(): void
}

export function smtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(smtpUrl, { from })
  return {
    async send(mail) {
      await transport.sendMail({
        to: mail.to,
        subject: mail.subject,
        text: mail.text,
        textEncoding: 'quoted-printable',
      })
    },
    close: () => transport.close(),
  }
}

/** Prints each mail, loudly marked, so that a newcomer finds the sign-in code. */
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
