// What a mail to a payer shows of the shop: the logo, which travels with the mail, and the colour of its button. Pure.
import { MAIL_LOGO } from '@florin/protocol'
import type { MailContent } from '../platform/mail/compose.ts'
import type { Brand } from './brand.ts'

export function brandedMail({ logo, logoId, name, colors }: Brand): Pick<MailContent, 'accent' | 'logo'> {
  const accent = colors?.light ?? null
  if (logo === null || logoId === null) return { accent, logo: null }
  const scale = Math.min(1, MAIL_LOGO.width / logo.width, MAIL_LOGO.height / logo.height)
  const side = (pixels: number): number => Math.max(1, Math.round(pixels * scale))
  return { accent, logo: { id: logoId, alt: name ?? '', width: side(logo.width), height: side(logo.height) } }
}
