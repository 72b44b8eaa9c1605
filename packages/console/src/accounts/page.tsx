// The operator's list of accounts: find one, and suspend, resume or close it, or give it another email.
import { NAME_MAX } from '@florin/protocol'
import { Button, Menu, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ApiError } from '../api.ts'
import { useSession } from '../session.ts'
import { Badge } from '../ui/badge.tsx'
import { Mono } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, ErrorNote } from '../ui/state.tsx'
import { type Column, Pager, Table, usePaging } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import classes from './accounts.module.css'
import { ActDialog, type Question } from './act-dialog.tsx'
import { EmailChangeOf } from './email-change.tsx'
import { type Account, useAccounts } from './queries.ts'
import { actsFor, actWords, standingOf } from './words.ts'

export default function AccountsPage() {
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 250)
  const [question, ask] = useState<Question | null>(null)
  const paging = usePaging(q)
  const list = useAccounts(q, paging.cursor)
  if (list.error instanceof ApiError && list.error.code === 'operator_required') {
    return (
      <Page title="Accounts">
        <Empty icon="shield" title="For operators only">
          You are signed in with an email that is not an operator’s of this service.
        </Empty>
      </Page>
    )
  }
  return (
    <Page
      title="Accounts"
      lead="All merchants of this service. What you do here is mailed to the merchant and stands in its audit log with your email."
    >
      <search className={classes.search}>
        <TextInput
          type="search"
          aria-label="Find an account"
          placeholder="Part of the email, or an id"
          leftSection={<Icon name="search" size={15} />}
          autoComplete="off"
          spellCheck={false}
          maxLength={NAME_MAX}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </search>
      {list.isError ? (
        <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Table
          label="Accounts"
          columns={columnsFor(ask)}
          rows={list.data?.data}
          rowKey={(row) => row.id}
          isStale={list.isPlaceholderData}
          empty={
            <Empty icon="search" title="No account fits">
              The search takes a part of the email that signs in, or a whole merchant id.
            </Empty>
          }
        />
      )}
      <Pager paging={paging} page={list.data} />
      {question === null ? null : <ActDialog {...question} onClose={() => ask(null)} />}
    </Page>
  )
}

const columnsFor = (ask: (question: Question) => void): readonly Column<Account>[] => [
  {
    key: 'email',
    label: 'Email',
    card: 'title',
    cell: (row) => (
      <>
        <strong className={classes.email}>
          <bdi>{row.email}</bdi>
        </strong>
        {row.name === null ? null : (
          <small className={classes.name} dir="auto">
            {row.name}
          </small>
        )}
        {row.email_change === null ? null : <EmailChangeOf change={row.email_change} />}
      </>
    ),
  },
  { key: 'standing', label: 'Standing', cell: (row) => <Standing of={row} /> },
  { key: 'id', label: 'Merchant id', cell: (row) => <Mono value={row.id} what="merchant id" ends={[8, 6]} /> },
  { key: 'since', label: 'Joined', cell: (row) => <When at={row.created_at} /> },
  { key: 'acts', label: 'Acts', align: 'right', cell: (row) => <Acts of={row} onAsk={ask} /> },
]

function Standing({ of }: { of: Account }) {
  const { label, tone, since } = standingOf(of)
  return (
    <span className={classes.standing}>
      <Badge tone={tone}>{label}</Badge>
      {since === null ? null : (
        <span>
          since <When at={since} />
        </span>
      )}
    </span>
  )
}

function Acts({ of: account, onAsk }: { of: Account; onAsk: (question: Question) => void }) {
  const operator = useSession()?.email ?? ''
  const acts = actsFor(account, operator)
  if (account.email === operator) return <>Yours</>
  if (acts.length === 0) return <>–</>
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" aria-label={`Manage ${account.email}`} rightSection={<Icon name="down" size={14} />}>
          Manage
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map((act) => (
          <Menu.Item key={act} onClick={() => onAsk({ account, act })}>
            {actWords[act].menu} …
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
