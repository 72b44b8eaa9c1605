// By whom mail is sent, and in whose name. What is wrong is added to `faults`.
import { isIP } from 'node:net'

export function readMail(
  { smtpUrl, ...a }: { smtpUrl: string | null; mailFrom: string | null; baseUrl: string; isLoopbackInstall: boolean },
  faults: string[],
): { smtpUrl: string | null; mailFrom: string } {
  // Not echoed: it can hold a password.
  if (smtpUrl !== null && !isSmtpUrl(smtpUrl)) {
    faults.push('SMTP_URL must be an address such as smtp://user:PASSWORD@mail.example:587 or smtps://….')
  }
  if (smtpUrl === null && !a.isLoopbackInstall) {
    faults.push('SMTP_URL is required when the service is reachable from outside: sign-in codes are sent by mail.')
  }
  const mailFrom = a.mailFrom ?? `Florin <florin@${mailDomainOf(a.baseUrl)}>`
  if (!/^[^\r\n]*[^@\s<>]+@[^@\s<>]+>?$/.test(mailFrom)) {
    faults.push(`MAIL_FROM is "${mailFrom}"; it takes an address, or a name and an address: Shop <pay@shop.example>.`)
  }
  return { smtpUrl, mailFrom }
}

function isSmtpUrl(text: string): boolean {
  return /^smtps?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname !== ''
}

// Mail from the host that the service is known by; an IP address is no mail domain.
function mailDomainOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  return hostname.startsWith('[') || isIP(hostname) !== 0 ? 'localhost' : hostname
}
