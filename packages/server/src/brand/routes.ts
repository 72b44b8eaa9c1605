// HTTP routes of a brand (contract.md 4.6): what the merchant sets in the console, and the pictures that anybody may see.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { parseEmail } from '@florin/platform/email'
import { AppError } from '@florin/platform/errors'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { sendError, toAppError } from '@florin/platform/http/errors'
import type { App } from '@florin/platform/http/server'
import { FOR_EVER } from '@florin/platform/http/static'
import type { Secrets } from '@florin/platform/secrets'
import { LOGO_MAX_BYTES } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { brandFrom, brandOf, DEFAULT_ID, noBrand } from './brand.ts'
import { changeBrand, removeLogo, setLogo } from './change.ts'
import { drawCard, drawIcon } from './pictures.ts'
import { parseAccent, parseSupportUrl } from './rules.ts'
import { findBrandByPublicId, findPicture, type PictureKind } from './store.ts'
import { BrandView, viewBrand } from './view.ts'

const closed = { additionalProperties: false }
const security = [{ consoleToken: [] }]
const tags = ['console: brand']
const path = '/api/v1/boss/brand'
const Answer = Envelope(BrandView)
const Text = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 3_000 }), Type.Null()], { description }))

type BrandDeps = { sql: Sql; clock: Clock; config: Config; secrets: Secrets; wake: Wakes }

export async function brandRoutes(app: App, deps: BrandDeps): Promise<void> {
  const shown = async (merchantId: string) =>
    envelope(viewBrand(await brandOf(deps.sql, merchantId, deps.config.baseUrl)))

  app.get(
    path,
    { schema: { tags, summary: 'How payers see the shop', security, response: { 200: Answer } } },
    (request) => shown(request.merchant.id),
  )

  app.patch(
    path,
    {
      config: { act: 'judged' },
      schema: {
        tags,
        summary: 'Change the accent colour or the support contact',
        description:
          'Only the fields given change; null clears. Another support contact asks for a fresh sign-in (403 confirmation_required): payers who need help go there. The name is the merchant’s.',
        security,
        body: Type.Object(
          {
            accent: Text('A colour such as #1d5fd6. Buttons carry the nearest shade that can be seen and read on'),
            support_email: Text('Where payers write to'),
            support_url: Text('A page for payers who need help; https'),
          },
          closed,
        ),
        response: { 200: Answer },
      },
    },
    async ({ merchant, body }) => {
      const { accent, support_email: email, support_url: url } = body
      await changeBrand(deps, merchant, {
        accent: typeof accent === 'string' ? parseAccent(accent) : accent,
        supportEmail: typeof email === 'string' ? parseEmail(email, 'support_email') : email,
        supportUrl: typeof url === 'string' ? parseSupportUrl(url) : url,
      })
      return shown(merchant.id)
    },
  )

  // Pictures are posted as they are; only here, so that every other call accepts only JSON.
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      ['image/png', 'image/webp'],
      { parseAs: 'buffer', bodyLimit: LOGO_MAX_BYTES },
      (_request, bytes, done) => done(null, bytes),
    )
    scope.put<{ Body: Buffer }>(
      `${path}/logo`,
      {
        config: { act: 'harmless' },
        errorHandler: aboutPictures,
        bodyLimit: LOGO_MAX_BYTES,
        schema: {
          tags,
          summary: 'Set the logo',
          description:
            'The body is a PNG or WebP file of at most 1 MiB, 4096 pixels a side and 8 million in all, still. It is encoded anew, at most 512 pixels a side.',
          consumes: ['image/png', 'image/webp'],
          security,
          response: { 200: Answer },
        },
      },
      async ({ merchant, body }) => {
        if (!Buffer.isBuffer(body) || body.length === 0)
          throw new AppError('invalid_picture', { message: 'Send the picture itself as image/png or image/webp.' })
        await setLogo(deps, merchant, body)
        return shown(merchant.id)
      },
    )
  })

  app.delete(
    `${path}/logo`,
    { config: { act: 'harmless' }, schema: { tags, summary: 'Remove the logo', security, response: { 200: Answer } } },
    async ({ merchant }) => {
      await removeLogo(deps, merchant)
      return shown(merchant.id)
    },
  )

  publicFiles(app, deps)
}

/** The sentences of these two are about JSON elsewhere. */
function aboutPictures(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const said = toAppError(error)
  const message =
    said.entry.code === 'body_too_large'
      ? 'A logo has at most 1 MiB; this file is larger.'
      : said.entry.code === 'unsupported_media_type'
        ? 'Send the picture itself with Content-Type: image/png or image/webp.'
        : null
  sendError(request, reply, message === null ? said : new AppError(said.entry.code, { param: 'logo', message }))
}

const Id = Type.Object({ id: Type.String({ pattern: '^[a-z0-9_]{1,40}$' }) }, closed)

function publicFiles(app: App, deps: BrandDeps): void {
  // Drawn when it is first asked for; the same in every process.
  const own = new Map<PictureKind, Promise<Uint8Array>>()
  const ownPicture = (kind: PictureKind): Promise<Uint8Array> => {
    const drawn = own.get(kind) ?? (kind === 'icon' ? drawIcon() : drawCard(null, null))
    own.set(kind, drawn)
    drawn.catch(() => own.delete(kind))
    return drawn
  }
  const send = (reply: FastifyReply, png: Uint8Array): FastifyReply =>
    reply
      .type('image/png')
      .header('Cache-Control', FOR_EVER)
      // Mails and link previews of other sites show it.
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .send(png)

  for (const kind of ['logo', 'icon', 'card'] as const) {
    app.get(`/brand/:id/${kind}.png`, { schema: { hide: true, params: Id } }, async ({ params }, reply) => {
      const isOwn = params.id === DEFAULT_ID && kind !== 'logo'
      const png = isOwn ? await ownPicture(kind) : await findPicture(deps.sql, params.id, kind)
      if (png === null) throw new AppError('not_found')
      return send(reply, png)
    })
  }

  app.get('/brand/:id/manifest.webmanifest', { schema: { hide: true, params: Id } }, async ({ params }, reply) => {
    const { baseUrl } = deps.config
    const row = params.id === DEFAULT_ID ? null : await findBrandByPublicId(deps.sql, params.id)
    if (row === null && params.id !== DEFAULT_ID) throw new AppError('not_found')
    const brand = row === null ? noBrand(baseUrl) : brandFrom(row, baseUrl)
    const manifest = {
      name: brand.name ?? 'Checkout',
      display: 'browser',
      theme_color: brand.accent ?? '#1b1b18',
      background_color: '#f5f4f0',
      icons: [{ src: new URL(brand.iconUrl).pathname, sizes: '512x512', type: 'image/png' }],
    }
    return reply
      .type('application/manifest+json; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .serializer((text: string) => text)
      .send(JSON.stringify(manifest))
  })
}
