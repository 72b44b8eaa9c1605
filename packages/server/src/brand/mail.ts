// What a mail to a payer shows of the shop: the logo, which travels with the mail, the colour of its button, whom to ask. Pure.
import { MAIL_LOGO } from '@florin/protocol'
import type { MailContent } from '../platform/mail/compose.ts'
import type { Brand } from './brand.ts'

export function brandedMail(brand: Brand): Pick<MailContent, 'accent' | 'logo' | 'contact'> {
  const { logo, logoId, name, colors } = brand
  const contact = contactOf(brand)
  const accent = colors?.light ?? null
  if (logo === null || logoId === null) return { accent, contact, logo: null }
  const scale = Math.min(1, MAIL_LOGO.width / logo.width, MAIL_LOGO.height / logo.height)
  const side = (pixels: number): number => Math.max(1, Math.round(pixels * scale))
  return { accent, contact, logo: { id: logoId, alt: name ?? '', width: side(logo.width), height: side(logo.height) } }
}

/** As the merchant set them, with a fresh sign-in: an address and a page of their own. */
function contactOf({ supportEmail, supportUrl }: Brand): NonNullable<MailContent['contact']> | null {
  const links = [
    ...(supportEmail === null ? [] : [{ text: supportEmail, url: `mailto:${supportEmail}` }]),
    ...(supportUrl === null ? [] : [{ text: supportUrl, url: supportUrl }]),
  ]
  return links.length === 0 ? null : { label: 'Questions? The shop answers:', links }
}
