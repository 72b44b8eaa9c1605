// `florin verify URL`: the examination of a merchant's receiver, as a command.
import { type Command, serviceFlags } from '../command.ts'
import { UsageFailure } from '../failure.ts'
import { findSecret } from '../local-secret.ts'
import { closeConnections, openConnections } from '../post.ts'
import { checkedSecret, readSettings } from '../settings.ts'
import { readReceiver, readWhole } from '../words.ts'
import type { Finding } from './check.ts'
import { examine } from './examine.ts'
import { countsOf, findingLines, summaryLines } from './report.ts'
import { Visit } from './visit.ts'

export const doctorCommand: Command = {
  name: 'verify',
  takes: ['URL'],
  about: 'Examine a receiver: does it verify, count once, keep the order, answer in time',
  notes: [
    'It sends some fifty sample webhooks, marked livemode false, for orders that do not exist, and tells for each check what the',
    'receiver should do, what it did, why that matters and how to mend it. No Florin and no API key are needed.',
    'The exit code is 1 when something must be mended.',
  ],
  flags: [
    {
      name: 'secret',
      value: 'WHSEC',
      about: 'the secret that the receiver holds (else FLORIN_WEBHOOK_SECRET, else that of florin listen)',
    },
    { name: 'external-id', value: 'ID', about: 'put into the sample orders, for a receiver that must know the order' },
    { name: 'timeout', value: 'SECONDS', about: 'what a receiver has to answer; 10 where left out, as Florin waits' },
    ...serviceFlags.filter(({ name }) => name === 'dotenv'),
  ],
  examples: [
    'florin verify http://localhost:4000/webhooks/florin',
    'florin verify https://shop.example/webhooks/florin --dotenv .env --json',
  ],
  async run(call) {
    const { terminal, json } = call
    const url = readReceiver('URL', call.args[0] ?? '')
    const timeoutMs = (readWhole('--timeout', call.text('timeout'), 1, 60) ?? 10) * 1_000
    const { secret, origin } = chooseSecret(call)
    const connections = await openConnections()
    const visit = new Visit({ url, secret, timeoutMs, externalId: call.text('external-id') ?? null, connections })
    if (!json) terminal.note(terminal.notePaint.dim(`Examining ${url.href}, signing with ${origin}.`))
    const findings: Finding[] = []
    try {
      for await (const finding of examine(visit)) {
        findings.push(finding)
        for (const line of json ? [] : findingLines(finding, terminal.paint)) terminal.out(line)
      }
    } finally {
      closeConnections(connections)
    }
    const counts = countsOf(findings)
    const passed = counts.mend === 0
    if (json) {
      terminal.out(
        JSON.stringify({ url: url.href, passed, webhooks_sent: visit.sent, counts, checks: findings }, null, 2),
      )
    } else for (const line of summaryLines(findings, visit.sent, terminal)) terminal.out(line)
    return passed ? 0 : 1
  },
}

type Asked = Parameters<typeof readSettings>[0]

function chooseSecret(call: Asked): { secret: string; origin: string } {
  const given = call.text('secret')
  if (given !== undefined) return { secret: checkedSecret(given, '--secret'), origin: 'the secret that --secret names' }
  const { webhookSecret } = readSettings({
    ...call,
    text: (name) => (name === 'dotenv' ? call.text(name) : undefined),
  })
  if (webhookSecret !== undefined) {
    return { secret: checkedSecret(webhookSecret, 'FLORIN_WEBHOOK_SECRET'), origin: 'FLORIN_WEBHOOK_SECRET' }
  }
  const local = findSecret(call.environment)
  if (local !== null) return { secret: local, origin: 'the secret of florin listen' }
  throw new UsageFailure(
    'Say which secret the receiver holds: --secret whsec_…, or FLORIN_WEBHOOK_SECRET in the environment or in a file that --dotenv names.',
  )
}
