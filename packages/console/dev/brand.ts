// The brand of the playground's merchants, and what changes it.
import { brandColors } from '@florin/protocol'
import type { Brand } from '../src/settings/brand-queries.ts'
import { type Answer, type Call, ok, Refusal } from './answer.ts'

export const noBrand: Brand = {
  ...{ name: null, accent: null, colors: null, logo: null, card_url: 'http://localhost/card.png' },
  ...{ support_email: null, support_url: null },
}

/** A mark of the shop, drawn here: pictures of this playground come from nowhere else. */
const logo =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32"><rect width="96" height="32" rx="6" fill="#0a7d4f"/></svg>',
  )

export const shopBrand: Brand = {
  ...noBrand,
  ...{ accent: '#0a7d4f', colors: brandColors('#0a7d4f'), logo: { url: logo, width: 96, height: 32 } },
  ...{ support_email: 'help@bottega.example', support_url: null },
}

export function brand(world: { brand: Brand }, { method, body }: Call, part: string): Answer {
  if (part === 'logo') world.brand = { ...world.brand, logo: method === 'DELETE' ? null : shopBrand.logo }
  else if (method === 'PATCH') {
    const { accent } = body
    if (typeof accent === 'string' && !/^#[0-9a-f]{6}$/.test(accent))
      throw new Refusal('validation_failed', 'The field "accent" takes a colour such as #1d5fd6, or null for none.')
    world.brand = { ...world.brand, ...(body as Partial<Brand>) }
    if (accent !== undefined) world.brand.colors = typeof accent === 'string' ? brandColors(accent) : null
  }
  return ok(world.brand)
}
