// On which chains another service may hold the money for some minutes. Shown where one runs, and for chains that money can
// settle on: those with an address.
import { Checkbox, Switch, Text } from '@mantine/core'
import { useChains } from '../chains.ts'
import { useLive } from '../mode.ts'
import { notify } from '../ui/notify.ts'
import { Section } from '../ui/page.tsx'
import { ErrorNote } from '../ui/state.tsx'
import { When } from '../ui/time.tsx'
import { ChainName } from './address-list.tsx'
import classes from './addresses.module.css'
import { type ThirdPartySwitch, useAddresses, useSetThirdParty, useThirdParty } from './queries.ts'

export function ThirdParty() {
  const live = useLive()
  const list = useThirdParty(live)
  const set = new Set(useAddresses().data?.data.map(({ chain }) => chain))
  const rows = list.data?.data.filter((row) => row.on || set.has(row.chain)) ?? []
  if (rows.length === 0) return null
  return (
    <Section title="Through NEAR Intents">
      <Text size="sm" mb={10}>
        It takes nearly any coin from payers and pays you out on these chains. For some minutes it holds the money: it
        is the one way here that somebody else does. {live ? 'For real money it' : 'For test orders it'} is{' '}
        {live ? 'off until you switch it on' : 'on until you switch it off'}, chain by chain; a change counts for orders
        that are made after it takes effect, and whether its word is enough for pay addresses that are opened after it.
        Payers are told before they choose it.
      </Text>
      <ul className={classes.switches}>
        {rows.map((row) => (
          <li key={row.chain}>
            <Row of={row} live={live} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Row({ of: row, live }: { of: ThirdPartySwitch; live: boolean }) {
  const name = useChains().name(row.chain)
  const change = useSetThirdParty(live)
  const set = row.waiting ?? row
  const on = change.isPending ? change.variables.on : set.on
  const unproven = change.isPending ? (change.variables.takes_unproven ?? set.takes_unproven) : set.takes_unproven
  const save = (wish: { on: boolean; takes_unproven?: boolean }, done: string) =>
    change.mutate(
      { chain: row.chain, ...wish },
      {
        onSuccess: ({ waiting }) =>
          notify(waiting === null ? done : 'This counts in 24 hours. The mail about it has a link that takes it back.'),
      },
    )
  return (
    <>
      <div className={classes.switch}>
        <ChainName id={row.chain} />
        <Switch
          aria-label={`NEAR Intents on ${name}`}
          checked={on}
          onChange={({ currentTarget: { checked } }) =>
            save(
              { on: checked },
              checked
                ? `New orders on ${name} may pass through NEAR Intents.`
                : `No new order on ${name} passes through NEAR Intents.`,
            )
          }
        />
      </div>
      {on ? (
        <Checkbox
          size="xs"
          label="Count a payout on its word alone where nobody else can be asked"
          aria-label={`On ${name}, count a payout on its word alone where nobody else can be asked`}
          checked={unproven}
          onChange={({ currentTarget: { checked } }) =>
            save({ on: true, takes_unproven: checked }, `What counts as paid out on ${name} was changed.`)
          }
        />
      ) : null}
      {row.waiting === null ? null : (
        <Text size="xs" c="dimmed">
          This counts from <When at={row.waiting.effective_at} as="full" /> on. Until then it is{' '}
          {!row.on ? 'off' : row.takes_unproven ? 'on, and its word alone is enough' : 'on'}.
        </Text>
      )}
      <ErrorNote error={change.error} />
    </>
  )
}
