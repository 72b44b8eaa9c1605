// What is said of an address while it is typed. It has a fixed least height, so that nothing jumps.
import { Anchor, Skeleton, Text } from '@mantine/core'
import { useChains } from '../chains.ts'
import { Icon } from '../ui/icon.tsx'
import { ErrorNote } from '../ui/state.tsx'
import { takesAccounts } from './account-words.ts'
import classes from './addresses.module.css'
import type { Verdict, Warning } from './queries.ts'
import { refusalText } from './words.ts'

/** On chains where accounts are taken; a longer text is meant as one. */
const LONGEST_ADDRESS = 90

interface VerdictNoteProps {
  chain: string
  /** What was typed, trimmed. */
  text: string
  verdict: Verdict | undefined
  error: unknown
  onChain: (chain: string) => void
}

export function VerdictNote({ chain, text, verdict, error, onChain }: VerdictNoteProps) {
  const chains = useChains()
  const name = chains.name(chain)
  return (
    <div className={classes.verdict} aria-live="polite">
      {text === '' ? (
        <Text size="sm" c="dimmed">
          {takesAccounts(chain)
            ? 'Paste it from your wallet; it is checked as you paste.'
            : 'Paste it from your wallet; it is checked as you type.'}
        </Text>
      ) : error !== null && error !== undefined ? (
        <ErrorNote error={error} />
      ) : verdict === undefined ? (
        <Skeleton height={14} width="60%">
          Checking
        </Skeleton>
      ) : verdict.valid ? (
        <>
          <Text size="sm" className={classes.good}>
            <Icon name="check" size={15} />{' '}
            {verdict.account === null ? `A valid ${name} address.` : 'An account of a wallet.'}
          </Text>
          {verdict.address === text || verdict.account !== null ? null : (
            <Text size="sm" c="dimmed">
              It is saved in its usual spelling: <code className={classes.inline}>{verdict.address}</code>
            </Text>
          )}
          <Warnings of={verdict.warnings} />
        </>
      ) : verdict.asks !== null ? (
        <Text size="sm">{verdict.message}</Text>
      ) : (
        <>
          <Text size="sm" className={classes.bad}>
            <Icon name="warning" size={15} />{' '}
            {takesAccounts(chain) && text.length > LONGEST_ADDRESS
              ? verdict.message
              : refusalText(verdict.reason, name)}
          </Text>
          {verdict.looks_like.length === 0 ? null : (
            <Text size="sm">
              It is a valid address on{' '}
              {verdict.looks_like.slice(0, 4).map((other, n) => (
                <span key={other}>
                  {n === 0 ? '' : ', '}
                  <Anchor component="button" type="button" size="sm" onClick={() => onChain(other)}>
                    {chains.name(other)}
                  </Anchor>
                </span>
              ))}
              {verdict.looks_like.length > 4 ? ` and ${verdict.looks_like.length - 4} more` : ''}. Choose one to set it
              there.
            </Text>
          )}
        </>
      )}
    </div>
  )
}

export function Warnings({ of: warnings }: { of: readonly Warning[] }) {
  if (warnings.length === 0) return null
  return (
    <ul className={classes.warnings}>
      {warnings.map((warning) => (
        <li key={warning.code}>
          <Icon name="info" size={15} />
          <span>{warning.message}</span>
        </li>
      ))}
    </ul>
  )
}
