// The name under which a file is saved (RFC 6266): its letters stay, in every script; a plain form is for old programs. Pure.

/** No name ends up in another folder, hides its ending or breaks the header. */
const UNFIT = /[\p{C}"\\/:*?<>|]+/gu
const PLAIN_MAX = 120

/** @example attachment('Rechnung Ü-17.pdf') // `attachment; filename="Rechnung U-17.pdf"; filename*=UTF-8''Rechnung%20%C3%9C-17.pdf` */
export function attachment(name: string): string {
  const fit = [...name.toWellFormed().normalize('NFC').replace(UNFIT, '_')].slice(0, PLAIN_MAX).join('')
  const plain = fit
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\x20-\x7e]+|%/g, '_')
  const header = `attachment; filename="${plain.replace(UNFIT, '_')}"`
  return plain === fit ? header : `${header}; filename*=UTF-8''${encoded(fit)}`
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
