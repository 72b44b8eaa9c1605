// What a mail to a payer shows of the shop (the logo, which travels with the mail, the colour of its button, whom to ask), and the
// mail to the merchant about another support contact.
import { changeNotice } from '@florin/platform/mail/change-notice'
import type { MailContent } from '@florin/platform/mail/compose'
import type { Notice } from '@florin/platform/mail/notices'
import { unlinked } from '@florin/platform/strangers/unlinked'
import { MAIL_LOGO } from '@florin/protocol'
import type { Brand } from './brand.ts'

/** @param label stands before the links of the contact, in the payer's language */
export function brandedMail(brand: Brand, label: string): Pick<MailContent, 'accent' | 'logo' | 'contact'> {
  const { logo, logoId, name, colors } = brand
  const contact = contactOf(brand, label)
  const accent = colors?.light ?? null
  if (logo === null || logoId === null) return { accent, contact, logo: null }
  const scale = Math.min(1, MAIL_LOGO.width / logo.width, MAIL_LOGO.height / logo.height)
  const side = (pixels: number): number => Math.max(1, Math.round(pixels * scale))
  return {
    accent,
    contact,
    logo: { id: logoId, alt: name === null ? '' : unlinked(name), width: side(logo.width), height: side(logo.height) },
  }
}

/** As the merchant set them, with a fresh sign-in: an address and a page of their own. */
function contactOf({ supportEmail, supportUrl }: Brand, label: string): NonNullable<MailContent['contact']> | null {
  const links = [
    ...(supportEmail === null ? [] : [{ text: supportEmail, url: `mailto:${supportEmail}` }]),
    ...(supportUrl === null ? [] : [{ text: supportUrl, url: supportUrl }]),
  ]
  return links.length === 0 ? null : { label, links }
}

interface Contact {
  supportEmail: string | null
  supportUrl: string | null
}

/** Payers who need help are sent to the contact. */
export function contactMail(a: {
  before: Contact
  after: Contact
  at: Date
  baseUrl: string
}): Pick<Notice, 'subject' | 'text'> {
  const shown = ({ supportEmail, supportUrl }: Contact): string | null =>
    [supportEmail, supportUrl].filter((each) => each !== null).join(', ') || null
  return changeNotice({
    ...{ subject: 'The support contact of your shop was changed', at: a.at, baseUrl: a.baseUrl },
    meaning: 'Payers who need help are sent to the support contact.',
    ...{ before: shown(a.before), after: shown(a.after) },
  })
}
