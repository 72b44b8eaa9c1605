// What is said of an account while it is set: what is missing, what it may be, and its first addresses to compare.
import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { Icon } from '../ui/icon.tsx'
import { accountTitle, beginnings, typeWords } from './account-words.ts'
import classes from './addresses.module.css'
import type { AccountCandidate, ScriptType, Verdict } from './queries.ts'

/** What an account's text leaves open. */
export interface AccountHints {
  script: ScriptType | null
  walletAddress: string
}

export const noHints: AccountHints = { script: null, walletAddress: '' }

interface AccountHelpProps {
  chain: string
  verdict: Verdict | undefined
  hints: AccountHints
  onHints: (hints: AccountHints) => void
}

/** Nothing for a plain address. */
export function AccountHelp({ chain, verdict, hints, onHints }: AccountHelpProps) {
  const asks = verdict?.asks ?? null
  const candidates = verdict?.candidates ?? []
  const isHelped = hints.script !== null || hints.walletAddress !== ''
  const begins = beginnings(
    chain,
    [...candidates, ...(verdict?.account == null ? [] : [verdict.account])].flatMap((one) => one.first_addresses),
  )
  if (asks === null && !isHelped && (verdict?.account ?? null) === null) return null
  return (
    <Stack gap={14}>
      {asks === 'script_type' ? (
        <Radio.Group
          label="Which of these does your wallet show?"
          description="The first receiving address of each type. Or give one address below, and it is found."
          value={hints.script ?? ''}
          onChange={(value) => onHints({ ...hints, script: value as ScriptType })}
        >
          <Stack gap={8} mt={8}>
            {candidates.map((candidate) => (
              <Radio
                key={candidate.script_type}
                value={candidate.script_type}
                label={
                  <>
                    {typeWords[candidate.script_type].name}{' '}
                    <code className={classes.inline}>{candidate.first_addresses[0]}</code>
                  </>
                }
              />
            ))}
          </Stack>
        </Radio.Group>
      ) : null}
      {asks !== null || isHelped ? (
        <TextInput
          label="One receiving address that your wallet shows"
          description={`Best its first. It proves that the account is this wallet’s${begins === null ? '' : ` (${begins})`}.`}
          spellCheck={false}
          autoComplete="off"
          maxLength={200}
          classNames={{ input: classes.address ?? '' }}
          value={hints.walletAddress}
          onChange={(event) => onHints({ ...hints, walletAddress: event.currentTarget.value.trim() })}
        />
      ) : null}
      {verdict?.valid === true && verdict.account !== null ? <Found account={verdict.account} /> : null}
    </Stack>
  )
}

function Found({ account }: { account: AccountCandidate }) {
  return (
    <div className={classes.account}>
      <Text size="sm" className={classes.good}>
        <Icon name="check" size={15} /> {accountTitle(account)}
      </Text>
      <Text size="sm">Your wallet shows these first. If it does not, do not save:</Text>
      <FirstAddresses of={account} />
    </div>
  )
}

export function FirstAddresses({ of: account }: { of: AccountCandidate }) {
  return (
    <ol className={classes.firstAddresses}>
      {account.first_addresses.map((address) => (
        <li key={address}>
          <code className={classes.inline}>{address}</code>
        </li>
      ))}
    </ol>
  )
}
