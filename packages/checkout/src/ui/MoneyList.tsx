// The lists of what came in and what went back, each line with its state and its page in an explorer.
import { type MoneyLine, type Phrase, pointed } from '@florin/checkout-core'
import { useShared } from './context.ts'
import { Icon } from './Icon.tsx'

interface MoneyListProps {
  title: string
  lines: readonly MoneyLine[]
  note?: Phrase | null
}

export function MoneyList({ title, lines, note }: MoneyListProps) {
  const { say, locale } = useShared()
  if (lines.length === 0) return null
  return (
    <section className="money">
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line.id}>
            <span className="money-sum">{pointed(line.text, locale)}</span>
            <span className="money-state">{say(line.state)}</span>
            {line.hash === null ? null : <TxLink hash={line.hash} href={line.href} />}
          </li>
        ))}
      </ul>
      {note ? <p className="hint">{say(note)}</p> : null}
    </section>
  )
}

/** A transaction: its page where one is known, else its hash to look up. */
export function TxLink({ hash, href }: { hash: string; href: string | null }) {
  const { say } = useShared()
  const short = hash.length > 18 ? `${hash.slice(0, 10)}…${hash.slice(-6)}` : hash
  if (href === null) {
    return (
      <span className="tx code" title={hash}>
        {short}
      </span>
    )
  }
  return (
    <a className="tx" href={href} target="_blank" rel="noreferrer noopener">
      {say('view_transaction')}
      <Icon name="external" />
      <span className="offscreen"> ({say('opens_new_tab')})</span>
    </a>
  )
}
