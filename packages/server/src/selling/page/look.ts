// What every page of links and invoices looks like to whoever asks: language, brand, style sheet, policy.
import { join } from 'node:path'
import type { Language } from '@florin/checkout-core'
import type { Sql } from '@florin/platform/db/pool'
import { newNonce, pagePolicy, readBuiltEntry, sendPage } from '@florin/platform/http/static'
import type { Rails } from '@florin/rail-kit/registry'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Brand, brandOf, noBrand, shownBrand } from '../../brand/brand.ts'
import { languageOf } from '../../checkout/language.ts'
import type { Config } from '../../settings.ts'

const built = join(import.meta.dirname, '../../../../checkout/dist')

export interface Look {
  language: Language
  brand: Brand
  /** What the checkout's blocks tell of it. */
  shown: { merchant: ReturnType<typeof shownBrand> }
  /** What is said of the way of the money, before anybody has chosen how to pay. */
  custody: 'non_custodial' | 'custody_mixed'
  /** The address of the checkout's style sheet; null: not built. */
  style: string | null
  /** Of the style element that holds the accent colour. */
  nonce: string
  /** The page's own address. */
  url: string
}

export interface Looks {
  /** @param path of the page. @param merchantId null: the page of nobody. */
  of(request: FastifyRequest, path: string, merchantId: string | null): Promise<Look>
}

export function makeLooks(deps: { sql: Sql; config: Config; rails: Rails }, folder = built): Looks {
  const style = readBuiltEntry(folder, 'src/main.tsx', '/pay-files/')?.style ?? null
  const { baseUrl } = deps.config
  const isMixed = deps.rails.all.some(({ capabilities }) => capabilities.custody === 'third-party')
  return {
    async of(request, path, merchantId) {
      const brand = merchantId === null ? noBrand(baseUrl) : await brandOf(deps.sql, merchantId, baseUrl)
      return {
        language: languageOf(request.headers['accept-language']),
        ...{ brand, shown: { merchant: shownBrand(brand) } },
        custody: isMixed ? 'custody_mixed' : 'non_custodial',
        ...{ style, nonce: newNonce(), url: `${baseUrl.replace(/\/$/, '')}${path}` },
      }
    },
  }
}

export function sendLook(
  request: FastifyRequest,
  reply: FastifyReply,
  look: Look,
  a: { html: string; status?: number },
): FastifyReply {
  // A form of these pages sends its origin; other sites get no referrer.
  reply.header('Referrer-Policy', 'same-origin')
  return sendPage(request, reply, { ...a, policy: pagePolicy({ styleNonce: look.nonce }) })
}
