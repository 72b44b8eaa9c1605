// What the doctor hears from running processes: /readyz, and /metrics where it may read them. They know what the database does not
// say: how old chains' newest blocks are, what is thought of providers, for how long gas lasts, when each job last succeeded.
import { type Check, fault, isOk, ok, spanOf, warning } from '@florin/platform/check'

const ASK_MS = 5_000

interface Line {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

export function readMetrics(text: string): Line[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(florin_\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name === undefined || Number.isNaN(Number(value))) return []
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, key = '', text = '']) => [key, text] as const,
    )
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }]
  })
}

/** @param url of a process. @param token METRICS_TOKEN, where there is one. */
export async function examineProcess(url: string, token: string | null, now: Date): Promise<Check[]> {
  const ask = (path: string): Promise<Response | null> =>
    fetch(`${url}${path}`, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ASK_MS),
    }).catch(() => null)
  const ready = await ask('/readyz')
  if (ready === null)
    return [
      fault('process', `Nobody answers at ${url}.`, 'Start it, or say where it is: -- --process http://host:port'),
    ]
  const state = (await ready.json().catch(() => ({}))) as { checks?: Check[] }
  const checks = (state.checks ?? [])
    .filter((check) => !isOk(check))
    .map((check) => ({ ...check, summary: `${url}: ${check.summary}` }))
  if (ready.ok) checks.push(ok(['process', url], `${url} is ready.`))
  const answer = await ask('/metrics')
  if (answer?.ok !== true)
    return [
      ...checks,
      warning(
        'metrics',
        `${url} shows no metrics: chains, gas and jobs were not looked at.`,
        'Set METRICS_TOKEN for it and for this command.',
      ),
    ]
  return [...checks, ...judge(readMetrics(await answer.text()), now)]
}

const GAS_FAULT_DAYS = 1
const GAS_WARNS_DAYS = 7

/** One sentence for each thing that is wrong, and one for each kind of which all is well. */
export function judge(lines: readonly Line[], now: Date): Check[] {
  const of = (name: string): Line[] => lines.filter((line) => line.name === name)
  const heads = of('florin_chain_head_age_seconds')
  const limits = new Map(of('florin_chain_head_age_limit_seconds').map((line) => [line.labels.chain, line.value]))
  const behind = heads.flatMap(({ labels, value }) =>
    value > (limits.get(labels.chain) ?? Number.POSITIVE_INFINITY)
      ? [
          fault(
            ['chain', labels.chain ?? ''],
            `${labels.chain}: the newest block known is ${spanOf(value)} old.`,
            'docs/operations.md#florinchainbehind',
          ),
        ]
      : [],
  )
  const providers = of('florin_chain_provider').filter(({ labels, value }) => value === 1 && labels.verdict !== 'ok')
  const doubted = providers.map(({ labels }) =>
    (labels.verdict === 'laggard' ? warning : fault)(
      ['provider', `${labels.chain} ${labels.provider}`],
      `${labels.chain}: ${labels.provider} is ${labels.verdict?.replaceAll('_', ' ')}.`,
      labels.verdict === 'liar' ? 'docs/operations.md#florinproviderlies' : 'docs/operations.md#florinproviderout',
    ),
  )
  const gas = of('florin_gas_runway_days').filter(({ value }) => value < GAS_WARNS_DAYS)
  const thirsty = gas.map(({ labels, value }) =>
    (value < GAS_FAULT_DAYS ? fault : warning)(
      ['gas', labels.chain ?? ''],
      `${labels.chain}: the gas of the ${labels.role ?? 'key'} lasts ${spanOf(value * 86_400)}.`,
      'Send native coins to its address: docs/operations.md#floringaslow.',
    ),
  )
  const pace = new Map(of('florin_job_interval_seconds').map((line) => [line.labels.name, line.value]))
  const stuck = of('florin_job_last_success_timestamp_seconds').flatMap(({ labels, value }) => {
    const silentS = now.getTime() / 1000 - value
    if (silentS <= 300 + 2 * (pace.get(labels.name) ?? 60)) return []
    return [
      fault(
        ['job', labels.name ?? ''],
        `${labels.name} has not succeeded for ${spanOf(silentS)}.`,
        'docs/operations.md#florinjobstuck',
      ),
    ]
  })
  const counted: readonly [string, string, string][] = [
    ['florin_reconcile_differences', 'books', 'docs/operations.md#florinbooksdiffer'],
    ['florin_sealed_values_unreadable', 'sealed values', 'docs/operations.md#florinsealedunreadable'],
    ['florin_journal_failures_total', 'journal', 'docs/operations.md#florinjournalfails'],
  ]
  const others = counted.flatMap(([name, what, cure]) => {
    const n = of(name).reduce((sum, { value }) => sum + value, 0)
    return n > 0 ? [fault(what, `${name} is ${n}.`, cure)] : []
  })
  const wells: readonly [readonly Check[], number, string, string][] = [
    [behind, heads.length, 'chain', `${heads.length} chains are read up to date.`],
    [doubted, of('florin_chain_provider').length, 'provider', 'No provider is doubted.'],
    [thirsty, of('florin_gas_runway_days').length, 'gas', `Every key has gas for ${GAS_WARNS_DAYS} days or more.`],
    [stuck, pace.size, 'job', `${pace.size} jobs succeed at their pace.`],
  ]
  return wells
    .flatMap(([wrong, seen, name, says]) => (wrong.length > 0 ? wrong : seen > 0 ? [ok(name, says)] : []))
    .concat(others)
}
