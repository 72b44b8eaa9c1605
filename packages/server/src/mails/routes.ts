// Which mails a merchant wants, in the console (contract.md 5). The link under each mail does the same without signing in.
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import type { App } from '@florin/platform/http/server'
import { payerPages } from '@florin/platform/mail/payer-pages'
import { endKinds, type MailKind, mailKinds, mailSwitchRoutes } from '@florin/platform/mail/switches'
import { listOff, setOn } from '@florin/platform/mail/switches.store'
import type { Secrets } from '@florin/platform/secrets'
import { Type } from 'typebox'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'

const closed = { additionalProperties: false }
const about: Readonly<Record<MailKind, string>> = {
  paid: 'An order was paid; from the tenth in an hour on in one mail an hour',
  webhooks: 'A webhook or an endpoint takes nothing',
  weekly: 'The summary of a week, on Mondays',
  receipts: 'Receipts and refund notices to payers whose email is known',
}
const fields = Object.fromEntries(
  mailKinds.map((kind) => [kind, Type.Boolean({ description: about[kind] })]),
) as Record<MailKind, ReturnType<typeof Type.Boolean>>
const Switches = Type.Object(fields, closed)

export async function mailRoutes(
  app: App,
  deps: { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes },
): Promise<void> {
  const path = '/api/v1/boss/mails'
  const shared = { tags: ['console: account'], security: [{ consoleToken: [] }], response: { 200: Envelope(Switches) } }
  const view = async (merchantId: string) => {
    const off = await listOff(deps.sql, merchantId)
    return Object.fromEntries(mailKinds.map((kind) => [kind, !off.has(kind)])) as Record<MailKind, boolean>
  }
  app.get(path, { schema: { ...shared, summary: 'Which mails are wanted' } }, async ({ merchant }) =>
    envelope(await view(merchant.id)),
  )
  app.patch(
    path,
    {
      config: { act: 'harmless' },
      schema: {
        ...shared,
        summary: 'Switch mails on or off',
        description:
          'The account is mailed about kinds that are switched off. Mails about approvals and money owed cannot be.',
        body: Type.Partial(Switches, closed),
      },
    },
    async ({ merchant, body }) => {
      const now = deps.clock.now()
      await withTx(deps.sql, async (tx) => {
        const { id: merchantId, email: actor } = merchant
        const kinds = mailKinds.filter((kind) => body[kind] === false)
        await endKinds(deps, tx, { merchantId, kinds, actor }, now)
        const on: MailKind[] = []
        for (const kind of mailKinds) if (body[kind] === true && (await setOn(tx, { merchantId, kind }))) on.push(kind)
        if (on.length === 0) return
        const detail = Object.fromEntries(on.map((kind) => [kind, true]))
        await recordAudit(tx, { merchantId, actor, action: 'mails.changed', subject: merchantId, detail }, now)
      })
      deps.wake.mail.fire()
      return envelope(await view(merchant.id))
    },
  )
  await mailSwitchRoutes(app, deps)
  await payerPages(app, deps)
}
