// How findings are told to a person: a line each, and for what must be mended all that is needed to mend it.
import { columns, type Paint, type Terminal } from '../terminal.ts'
import { examples, type Finding, type Verdict, verdicts } from './check.ts'
import { allChecks } from './examine.ts'

const labels: Readonly<Record<Verdict, string>> = {
  good: 'good',
  unseen: 'unseen',
  warn: 'WARN',
  mend: 'MEND',
  skipped: 'skipped',
}

function painted(verdict: Verdict, text: string, paint: Paint): string {
  if (verdict === 'good') return paint.green(text)
  if (verdict === 'mend') return paint.red(text)
  return verdict === 'warn' ? paint.yellow(text) : paint.dim(text)
}

const titleWidth = Math.max(...allChecks.map(({ title }) => title.length))
const labelWidth = Math.max(...Object.values(labels).map((label) => label.length))
const WRAP_AT = 110

export function findingLines(finding: Finding, paint: Paint): string[] {
  const { verdict, title, should, did, why, mend, code } = finding
  const label = painted(verdict, labels[verdict].padEnd(labelWidth), paint)
  const head = `${label}  ${paint.bold(title.padEnd(titleWidth))}  ${did}`
  if (verdict === 'skipped') return [head]
  const rows: [string, string][] = [
    ['should', should],
    ['why', why],
  ]
  if (mend !== undefined) rows.push(['mend', mend])
  if (code !== undefined) rows.push(['code', code])
  if (verdict === 'mend') rows.push(['see', examples])
  const more = rows.flatMap(([name, text]) =>
    wrapped(text, WRAP_AT).map((line, n) => {
      const plain = `${' '.repeat(labelWidth + 2)}${(n === 0 ? name : '').padEnd(6)}  ${line}`
      return name === 'should' || name === 'why' ? paint.dim(plain) : plain
    }),
  )
  return [head, ...more]
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

export type Counts = Readonly<Record<Verdict, number>>

export function countsOf(findings: readonly Finding[]): Counts {
  const entries = verdicts.map(
    (verdict) => [verdict, findings.filter((each) => each.verdict === verdict).length] as const,
  )
  return Object.fromEntries(entries) as Counts
}

/** What nobody can see from outside, said once at the end. */
const unseeable = [
  ['constant time', 'that signatures are compared in constant time (crypto.timingSafeEqual; verifyWebhook does)'],
  ['a restart', 'that the ids of events outlive a restart: they belong into the database'],
  ['one commit', 'that the id and the change of your order are written in one transaction'],
] as const

export function summaryLines(findings: readonly Finding[], sent: number, terminal: Terminal): string[] {
  const { good, unseen, warn, mend, skipped } = countsOf(findings)
  const { paint } = terminal
  const parts = [
    paint.green(`${good} good`),
    unseen > 0 ? `${unseen} not visible from outside` : '',
    warn > 0 ? paint.yellow(`${warn} ${warn === 1 ? 'warning' : 'warnings'}`) : '',
    mend > 0 ? paint.red(`${mend} to mend`) : '',
    skipped > 0 ? `${skipped} skipped` : '',
  ]
  const lines = [
    '',
    `${findings.length} checks with ${sent} webhooks: ${parts.filter((part) => part !== '').join(', ')}.`,
  ]
  if (skipped === 0) {
    lines.push(paint.dim('What no examination from outside can see:'))
    lines.push(...columns(unseeable.map((row) => [...row])).map((line) => paint.dim(`  ${line}`)))
  }
  if (unseen > 0) {
    lines.push(
      paint.dim(
        'Answer with the words "applied", "duplicate" or "outdated" as the whole body, and what is not visible here becomes so.',
      ),
    )
  }
  return lines
}
