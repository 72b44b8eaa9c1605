// SQL of merchant_brands.
import type { Db, Tx } from '@florin/platform/db/tx'

export interface BrandRow {
  merchantId: string
  name: string | null
  /** Null: nothing was ever set. */
  publicId: string | null
  accent: string | null
  supportEmail: string | null
  supportUrl: string | null
  logoWidth: number | null
  logoHeight: number | null
  timeZone: string | null
}

const columns = (db: Db) =>
  db`m.id as "merchantId", m.name, m.time_zone as "timeZone", b.public_id as "publicId", b.accent, b.support_email as "supportEmail",
     b.support_url as "supportUrl", b.logo_width as "logoWidth", b.logo_height as "logoHeight"`

/** By the merchant's key; pictures stay where they are. */
export async function findBrand(db: Db, merchantId: string): Promise<BrandRow | null> {
  const [row] = await db<BrandRow[]>`
    select ${columns(db)} from merchants m left join merchant_brands b on b.merchant_id = m.id
    where m.id = ${merchantId}`
  return row ?? null
}

export async function findBrandByPublicId(db: Db, publicId: string): Promise<BrandRow | null> {
  const [row] = await db<BrandRow[]>`
    select ${columns(db)} from merchant_brands b join merchants m on m.id = b.merchant_id
    where b.public_id = ${publicId}`
  return row ?? null
}

/** Two changes of one brand follow each other: its row need not exist yet, so the merchant's is locked. */
export async function lockBrand(tx: Tx, merchantId: string): Promise<BrandRow | null> {
  await tx`select 1 from merchants where id = ${merchantId} for no key update`
  return findBrand(tx, merchantId)
}

export interface StoredPictures {
  logo: Uint8Array | null
  mailLogo: Uint8Array | null
  icon: Uint8Array | null
  card: Uint8Array
}

export type PictureKind = keyof StoredPictures

export async function findLogo(db: Db, merchantId: string): Promise<Uint8Array | null> {
  const [row] = await db<{ logo: Uint8Array | null }[]>`
    select logo from merchant_brands where merchant_id = ${merchantId}`
  return row?.logo ?? null
}

export async function findPicture(db: Db, publicId: string, kind: PictureKind): Promise<Uint8Array | null> {
  const [row] = await db<{ picture: Uint8Array | null }[]>`
    select case ${kind}::text when 'logo' then logo when 'mailLogo' then coalesce(mail_logo, logo) when 'icon' then icon
      else card end as picture
    from merchant_brands where public_id = ${publicId}`
  return row?.picture ?? null
}

export interface BrandToSave {
  merchantId: string
  publicId: string
  accent: string | null
  supportEmail: string | null
  supportUrl: string | null
  card: Uint8Array
  now: Date
}

/** The logo stays as it is. */
export function saveBrand(tx: Tx, a: BrandToSave): Promise<unknown> {
  return tx`
    insert into merchant_brands (merchant_id, public_id, accent, support_email, support_url, card, updated_at)
    values (${a.merchantId}, ${a.publicId}, ${a.accent}, ${a.supportEmail}, ${a.supportUrl}, ${a.card}, ${a.now})
    on conflict (merchant_id) do update set
      public_id = excluded.public_id, accent = excluded.accent, support_email = excluded.support_email,
      support_url = excluded.support_url, card = excluded.card, updated_at = excluded.updated_at`
}

export function saveLogo(
  tx: Tx,
  merchantId: string,
  logo: { png: Uint8Array; mail: Uint8Array; icon: Uint8Array; width: number; height: number } | null,
): Promise<unknown> {
  return tx`
    update merchant_brands set logo = ${logo?.png ?? null}, mail_logo = ${logo?.mail ?? null},
      icon = ${logo?.icon ?? null},
      logo_width = ${logo?.width ?? null}, logo_height = ${logo?.height ?? null}
    where merchant_id = ${merchantId}`
}
