// `florin golive CHAIN`: the checklist before real money comes, as a command. The service looks up what it can see of
// itself and of the chain; what only shows from outside (mail, TLS, a real order) is tried from here.
import type { Call, Command } from '../command.ts'
import { serviceFlags } from '../command.ts'
import { UsageFailure } from '../failure.ts'
import { readSettings } from '../settings.ts'
import { readWhole } from '../words.ts'
import { type Check, type Checklist, Operator } from './operator.ts'
import { tryOrder } from './order.ts'

export const goLiveCommand: Command = {
  name: 'golive',
  takes: ['CHAIN'],
  about: 'What is open before a chain takes real money, and how to close it',
  notes: [
    'It signs in as an operator by a mailed code, which proves the mail, and asks at the address that the world will use, which',
    'proves the TLS. When all else is closed it makes a real order with the live key in FLORIN_API_KEY and waits for its money.',
    'The exit code is 0 only when every point is closed. docs/going-live.md leads there step by step.',
  ],
  flags: [
    { name: 'email', value: 'EMAIL', about: 'one of OPERATOR_EMAILS (else FLORIN_OPERATOR_EMAIL)' },
    { name: 'code', value: 'CODE', about: 'the code from the mail, where nobody can be asked for it' },
    { name: 'guardian', value: 'ADDRESS', about: 'who is to veto and pause refunds' },
    { name: 'amount', value: 'USD', about: 'of the real order; 1 where left out' },
    { name: 'asset', value: 'ASSET', about: 'that it is paid in; where left out USDC, on btc and ltc the coin' },
    { name: 'wait', value: 'MINUTES', about: 'for its money; 30 where left out' },
    { name: 'no-order', about: 'leave the real order out; its point stays open' },
    ...serviceFlags,
  ],
  examples: ['florin golive base --email boss@shop.example --guardian 0x… --base-url https://pay.shop.example'],
  async run(call) {
    const [chain = ''] = call.args
    const waitMs = (readWhole('--wait', call.text('wait'), 1, 1_440) ?? 30) * 60_000
    const operator = await signIn(call)
    const checks: Check[] = []
    const tell = (check: Check): void => {
      checks.push(check)
      if (!call.json) for (const line of checkLines(call, check)) call.terminal.out(line)
    }
    try {
      const list = await operator.checklist(chain, call.text('guardian'))
      for (const check of withOwnEyes(call, list)) tell(check)
      tell(await tryOrder(call, { chain: list.chain, isReady: checks.every(isOk), waitMs }))
    } finally {
      await operator.signOut()
    }
    const left = checks.filter((check) => !isOk(check)).length
    if (call.json) call.terminal.out(JSON.stringify({ chain, passed: left === 0, open: left, checks }, null, 2))
    else
      call.terminal.out(left === 0 ? `\n${chain} is ready for real money.` : `\n${left} of ${checks.length} are open.`)
    return left === 0 ? 0 : 1
  },
}

async function signIn(call: Call): Promise<Operator> {
  const email = call.text('email') ?? call.environment.FLORIN_OPERATOR_EMAIL
  if (email === undefined || email === '') {
    throw new UsageFailure('--email is missing: the email of an operator, one of OPERATOR_EMAILS.')
  }
  const operator = new Operator(readSettings(call).baseUrl)
  const given = call.text('code')
  if (given !== undefined) {
    await operator.signIn(email, given)
    return operator
  }
  await operator.sendCode(email)
  const code = await call.terminal.ask(`The code that was mailed to ${email}: `)
  if (code === null) {
    throw new UsageFailure(
      `A code was mailed to ${email}. Run the same again with --code CODE: nobody can be asked here.`,
    )
  }
  await operator.signIn(email, code.trim())
  return operator
}

/** What the service says of mail and address is confirmed by how this command came in, or not. */
function withOwnEyes(call: Call, list: Checklist): Check[] {
  const asked = new URL(readSettings(call).baseUrl).origin
  return list.checks.map((check): Check => {
    const { id, summary } = check
    if (!isOk(check)) return check
    if (id === 'smtp') return { ...check, summary: `${summary} The code for this sign-in was mailed.` }
    if (id !== 'base_url') return check
    if (asked === list.base_url) return { ...check, summary: `${summary} This command reached it there over TLS.` }
    return {
      ...check,
      status: 'warning',
      summary: `This command asked ${asked}, so it cannot say whether ${list.base_url} works.`,
      remedy: `Ask again with --base-url ${list.base_url}, from a machine outside your network.`,
    }
  })
}

const isOk = ({ status }: Check): boolean => status === 'ok'

function checkLines({ terminal: { paint } }: Call, check: Check): string[] {
  const mark = isOk(check) ? paint.green('ok  ') : paint.yellow('open')
  const line = `${mark}  ${check.id.padEnd(14)} ${check.summary}`
  return check.remedy === null ? [line] : [line, `      ${''.padEnd(14)} ${paint.bold(check.remedy)}`]
}
