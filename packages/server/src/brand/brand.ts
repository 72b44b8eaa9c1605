// A merchant as payers see it: for the checkout, for pages of links, and for mails.
import type { Db } from '@florin/platform/db/tx'
import { type BrandColors, brandColors, type Checkout, zoneOr } from '@florin/protocol'
import { type BrandRow, findBrand } from './store.ts'

export interface Brand {
  name: string | null
  /** `#rrggbb` as the merchant chose it, for large areas. */
  accent: string | null
  /** The accent as buttons may carry it; null: the page's own. */
  colors: BrandColors | null
  logo: { url: string; width: number; height: number } | null
  /** Names the logo for mails, which bring it along; null: there is none. */
  logoId: string | null
  /** Square, at least 512 pixels; for tabs and home screens. */
  iconUrl: string
  /** 1200 × 630; for link previews. */
  cardUrl: string
  manifestUrl: string
  supportEmail: string | null
  supportUrl: string | null
  /** In which pages and mails to payers say days and times. */
  timeZone: string
}

/** Of a merchant that set nothing. */
export const DEFAULT_ID = 'florin'

/** Addresses are absolute: mails and link previews need them so. */
export async function brandOf(db: Db, merchantId: string, baseUrl: string): Promise<Brand> {
  const row = await findBrand(db, merchantId)
  return brandFrom(row, baseUrl)
}

/** What the checkout's JSON tells of it. */
export const shownBrand = (brand: Brand): Checkout['merchant'] => ({
  name: brand.name,
  logo: brand.logo,
  support_email: brand.supportEmail,
  support_url: brand.supportUrl,
})

/** The face of the service where no shop is known. */
export const noBrand = (baseUrl: string): Brand => brandFrom(null, baseUrl)

export function brandFrom(row: BrandRow | null, baseUrl: string): Brand {
  const at = (file: string, id: string | null | undefined): string =>
    `${baseUrl.replace(/\/$/, '')}/brand/${id ?? DEFAULT_ID}/${file}`
  const accent = row?.accent ?? null
  const hasLogo = row !== null && row.logoWidth !== null && row.logoHeight !== null
  return {
    name: row?.name ?? null,
    accent,
    colors: accent === null ? null : brandColors(accent),
    logo: hasLogo
      ? { url: at('logo.png', row.publicId), width: row.logoWidth ?? 0, height: row.logoHeight ?? 0 }
      : null,
    logoId: hasLogo ? row.publicId : null,
    iconUrl: at('icon.png', hasLogo ? row.publicId : null),
    cardUrl: at('card.png', row?.publicId),
    manifestUrl: at('manifest.webmanifest', row?.publicId),
    supportEmail: row?.supportEmail ?? null,
    supportUrl: row?.supportUrl ?? null,
    timeZone: zoneOr(row?.timeZone),
  }
}
