// The question before something is decided, with the address where the decision takes one along.
import type { AttentionItem } from '@florin/protocol'
import { ADDRESS_MAX } from '@florin/protocol'
import { Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChains } from '../chains.ts'
import { Confirm } from '../ui/confirm.tsx'
import { notify } from '../ui/notify.ts'
import { useDecide } from './queries.ts'
import { actText, REFUND_TO } from './words.ts'

export interface Asked {
  item: AttentionItem
  action: string
}

/** Gone while nothing is asked, so that what was typed for one item is never there for another. */
export function Question({ asked, onClose }: { asked: Asked | null; onClose: () => void }) {
  return <Dialog key={asked === null ? '' : `${asked.item.id} ${asked.action}`} asked={asked} onClose={onClose} />
}

function Dialog({ asked, onClose }: { asked: Asked | null; onClose: () => void }) {
  const decide = useDecide()
  const chains = useChains()
  const [typed, setTyped] = useState('')
  const act = actText(asked?.action ?? '')
  const takesAddress = asked?.action === REFUND_TO
  const address = typed.trim()
  const chain = asked?.item.evidence.chain
  return (
    <Confirm
      opened={asked !== null}
      onClose={onClose}
      title={`${act.label}?`}
      action={act.label}
      isDangerous={act.isDangerous}
      canConfirm={!takesAddress || address !== ''}
      onConfirm={async () => {
        if (asked === null) return
        const { item, action } = asked
        await decide.mutateAsync({ id: item.id, action, ...(takesAddress ? { address } : {}) })
        notify(`${act.label}: done.`)
      }}
    >
      <Stack gap={14}>
        <Text size="sm">{act.question}</Text>
        {takesAddress ? (
          <TextInput
            label={chain === undefined ? "The payer's address" : `The payer's address on ${chains.name(chain)}`}
            value={typed}
            maxLength={ADDRESS_MAX}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        ) : null}
      </Stack>
    </Confirm>
  )
}
