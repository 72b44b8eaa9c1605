// The wire shape of a brand (contract.md 4.6).
import { type Static, type TSchema, Type } from 'typebox'
import type { Brand } from './brand.ts'

const closed = { additionalProperties: false }
const OrNull = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()])
const Press = Type.Object({ press: Type.String(), on_press: Type.String() }, closed)

export const LogoView = Type.Object({ url: Type.String(), width: Type.Integer(), height: Type.Integer() }, closed)

export const BrandView = Type.Object(
  {
    name: OrNull(Type.String()),
    accent: OrNull(Type.String({ description: '#rrggbb, as it was chosen' })),
    colors: OrNull(
      Type.Object({ light: Press, dark: Press }, { ...closed, description: 'The accent as buttons carry it' }),
    ),
    logo: OrNull(LogoView),
    card_url: Type.String({ description: 'The picture of link previews' }),
    support_email: OrNull(Type.String()),
    support_url: OrNull(Type.String()),
  },
  { ...closed, title: 'Brand' },
)

export function viewBrand(brand: Brand): Static<typeof BrandView> {
  return {
    name: brand.name,
    accent: brand.accent,
    colors: brand.colors,
    logo: brand.logo,
    card_url: brand.cardUrl,
    support_email: brand.supportEmail,
    support_url: brand.supportUrl,
  }
}
