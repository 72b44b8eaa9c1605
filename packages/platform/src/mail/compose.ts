// A mail said once and written twice: as plain text and as HTML that needs no style sheet, no picture and no script.
import { oneLine } from '../strangers/unlinked.ts'
import { LOGO_CID, type Mail } from './mailer.ts'

export interface MailContent {
  /** Of all texts, as in HTML's `lang`. Default: `en`. */
  language?: string
  subject: string
  /** The name at the head: the shop's, or the service's. */
  from: string
  paragraphs: readonly string[]
  /** Name and value; a value of null is left out. */
  facts: readonly (readonly [name: string, value: string | null])[]
  button: { label: string; url: string } | null
  /** Smaller, at the end. */
  foot: readonly string[]
  /** Whom the reader may ask: a line before the foot, each a link in HTML. */
  contact?: { label: string; links: readonly { text: string; url: string }[] } | null
  /** Texts in subject and paragraphs that somebody else wrote, such as a shop's name: each keeps its own direction. */
  foreign?: readonly string[]
  /** Where one click ends mails of this kind. */
  off?: { label: string; url: string } | null
  /** Colours of the button, with enough contrast; null: the service's own. */
  accent?: { press: string; on_press: string } | null
  /** Shown above the name, in CSS pixels. The picture itself joins the mail when it is sent. */
  logo?: { id: string; alt: string; width: number; height: number } | null
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** Escaped, with each of the foreign texts in an element that keeps its direction to itself. */
function isolated(text: string, foreign: readonly string[]): string {
  const [first = '', ...rest] = foreign.map(oneLine).filter((each) => each !== '')
  if (first === '') return escaped(text)
  return text
    .split(first)
    .map((part) => isolated(part, rest))
    .join(`<bdi>${escaped(first)}</bdi>`)
}

/** Where the logo stands, if it is still there when the mail is sent: a mail whose picture is gone shows none. */
const LOGO_PLACE = '<!-- logo -->'

export type Composed = Pick<Mail, 'subject' | 'text' | 'off' | 'logo'> & { html: string }

export function composeMail(content: MailContent): Composed {
  const subject = oneLine(content.subject)
  const facts = content.facts.flatMap(([name, value]) => (value === null ? [] : [[name, oneLine(value)] as const]))
  const [off, logo] = [content.off ?? null, content.logo ?? null]
  return {
    subject,
    text: textOf(content, facts, off),
    html: htmlOf(content, facts, off),
    ...(off === null ? {} : { off: off.url }),
    ...(logo === null ? {} : { logo: { id: logo.id, tag: logoTag(logo) } }),
  }
}

const logoTag = ({ alt, width, height }: NonNullable<MailContent['logo']>): string =>
  `<p style="margin:0 0 12px"><img src="cid:${LOGO_CID}" alt="${escaped(oneLine(alt))}" width="${width}" height="${height}" style="display:block;border:0"></p>\n`

/** @param tag of the logo, where its picture goes along; '' where it does not. */
export const withLogo = (html: string, tag: string): string => html.replace(LOGO_PLACE, () => tag)

type Facts = readonly (readonly [string, string])[]
type Off = { label: string; url: string } | null

function textOf({ paragraphs, button, foot, contact = null }: MailContent, facts: Facts, off: Off): string {
  const width = Math.max(0, ...facts.map(([name]) => name.length)) + 1
  const blocks = [
    ...paragraphs.map(oneLine),
    facts.map(([name, value]) => `${`${name}:`.padEnd(width)} ${value}`).join('\n'),
    button === null ? '' : `${button.label}:\n${button.url}`,
    [...contactText(contact), ...foot.map(oneLine)].join('\n'),
    off === null ? '' : `${off.label}:\n${off.url}`,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

type Contact = MailContent['contact']

const contactText = (contact: Contact): string[] =>
  contact == null || contact.links.length === 0
    ? []
    : [`${oneLine(contact.label)} ${contact.links.map(({ text }) => oneLine(text)).join(' · ')}`]

function contactHtml(contact: Contact): string[] {
  if (contact == null || contact.links.length === 0) return []
  const links = contact.links.map(
    ({ text, url }) => `<a href="${escaped(url)}" style="color:#575f69">${escaped(oneLine(text))}</a>`,
  )
  return [`${escaped(oneLine(contact.label))} ${links.join(' · ')}`]
}

function htmlOf(content: MailContent, facts: Facts, off: Off): string {
  const { from, subject, paragraphs, button, foot, accent = null, language = 'en' } = content
  const shown = (text: string): string => isolated(oneLine(text), content.foreign ?? [])
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td style="padding:4px 16px 4px 0;color:#575f69;vertical-align:top">${escaped(name)}</td><td dir="auto" style="padding:4px 0;word-break:break-word">${escaped(value)}</td></tr>`,
  )
  const small = (html: string): string => `<p style="margin:0 0 8px;font-size:13px;color:#575f69">${html}</p>`
  return `<!doctype html>
<html lang="${escaped(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f4f5f7;color:#1a1d21;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #d8dce1;border-radius:12px">
${content.logo ? LOGO_PLACE : ''}<p dir="auto" style="margin:0 0 16px;font-size:14px;color:#575f69">${escaped(oneLine(from))}</p>
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${shown(subject)}</h1>
${paragraphs.map((text) => `<p style="margin:0 0 16px">${shown(text)}</p>`).join('\n')}
${rows.length === 0 ? '' : `<table role="presentation" style="margin:0 0 16px;border-collapse:collapse">${rows.join('')}</table>`}
${button === null ? '' : `<p style="margin:0 0 16px"><a href="${escaped(button.url)}" style="display:inline-block;padding:12px 20px;background:${escaped(accent?.press ?? '#1f5fc4')};color:${escaped(accent?.on_press ?? '#ffffff')};border-radius:8px;text-decoration:none;font-weight:600">${escaped(button.label)}</a></p>`}
${contactHtml(content.contact ?? null)
  .map(small)
  .join('\n')}
${foot.map((text) => small(escaped(oneLine(text)))).join('\n')}
${off === null ? '' : small(`<a href="${escaped(off.url)}" style="color:#575f69">${escaped(off.label)}</a>`)}
</div>
</body>
</html>
`
}

/** A text of lines as a page: aligned as it is, its own addresses to click. */
export function htmlOfText(subject: string, text: string): string {
  const body = escaped(text).replace(/https?:\/\/[^\s<>&]+/g, (url) => `<a href="${url}">${url}</a>`)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(oneLine(subject))}</title></head>
<body style="margin:0;padding:24px 12px;background:#f4f5f7;color:#1a1d21">
<div style="max-width:640px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #d8dce1;border-radius:12px">
<pre style="margin:0;white-space:pre-wrap;unicode-bidi:plaintext;overflow-wrap:anywhere;font:14px/1.5 ui-monospace,SFMono-Regular,Menlo,monospace">${body}</pre>
</div>
</body>
</html>
`
}
