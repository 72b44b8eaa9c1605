// What is known of the addresses of an account that were used before, and the question where the chain cannot tell.
import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../ui/notify.ts'
import { ErrorNote } from '../ui/state.tsx'
import { useSentence } from './account-words.ts'
import classes from './addresses.module.css'
import { type Account, type Used, useSayUsed } from './queries.ts'

type Answer = 'next_address' | 'last_used_address' | 'never_used'

export function UseForm({ chain, of: account }: { chain: string; of: Account }) {
  const { asks, known } = account.use
  const [isOpen, setOpen] = useState(false)
  return (
    <Stack gap={8}>
      <Text size="sm">{useSentence(account.use)}</Text>
      {asks || isOpen ? (
        <Question chain={chain} onSaid={() => setOpen(false)} />
      ) : known === 'said' ? (
        <Group>
          <Button variant="subtle" onClick={() => setOpen(true)}>
            Say it again
          </Button>
        </Group>
      ) : null}
    </Stack>
  )
}

function Question({ chain, onSaid }: { chain: string; onSaid: () => void }) {
  const [answer, setAnswer] = useState<Answer>('next_address')
  const [address, setAddress] = useState('')
  const say = useSayUsed()
  const used: Used | null =
    answer === 'never_used' ? { never_used: true } : address === '' ? null : { [answer]: address }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (used === null) return
        say.mutate(
          { chain, used },
          {
            onSuccess: ({ account, warnings }) => {
              const note = warnings.find(({ code }) => code === 'indexes_passed_over')?.message
              notify(note ?? `Saved. The next order gets address number ${(account?.next_index ?? 0) + 1}.`)
              onSaid()
            },
          },
        )
      }}
    >
      <div className={classes.account}>
        <Radio.Group
          label="Which addresses of this account have you used?"
          description="A customer who pays an old address would else pay a new order."
          value={answer}
          onChange={(value) => setAnswer(value as Answer)}
        >
          <Stack gap={8} mt={8}>
            <Radio value="next_address" label="I give the next one that my wallet shows" />
            <Radio value="last_used_address" label="I give the last one that I have used" />
            <Radio value="never_used" label="None: the account is new" />
          </Stack>
        </Radio.Group>
        {answer === 'never_used' ? null : (
          <TextInput
            label={answer === 'next_address' ? 'Next address of your wallet' : 'Last address that you have used'}
            spellCheck={false}
            autoComplete="off"
            maxLength={200}
            classNames={{ input: classes.address ?? '' }}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value.trim())}
          />
        )}
        <Group>
          <Button type="submit" variant="default" loading={say.isPending} disabled={used === null}>
            Save
          </Button>
        </Group>
        <ErrorNote error={say.error} />
      </div>
    </form>
  )
}
