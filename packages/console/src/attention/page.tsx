// The inbox: what no rule decides, with its evidence and the actions that fit.
import type { AttentionItem } from '@florin/protocol'
import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useChains } from '../chains.ts'
import { useLive } from '../mode.ts'
import { Card } from '../ui/card.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, ErrorNote, Lines } from '../ui/state.tsx'
import { Pager, usePaging } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import classes from './attention.module.css'
import { Value } from './evidence.tsx'
import { useAttention } from './queries.ts'
import { type Asked, Question } from './question.tsx'
import { SignButton } from './to-sign.tsx'
import { actText, evidenceLines, kindText, readable } from './words.ts'

type Show = 'open' | 'resolved'

export default function AttentionPage() {
  const live = useLive()
  const [show, setShow] = useState<Show>('open')
  const paging = usePaging(`${live} ${show}`)
  const list = useAttention(show, paging.cursor)
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <Page
      title="Needs attention"
      lead="What no rule decides, so a person must. Nothing here is lost while it waits."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Which items"
          value={show}
          onChange={(value) => setShow(value === 'resolved' ? 'resolved' : 'open')}
          data={[
            { value: 'open', label: 'Open' },
            { value: 'resolved', label: 'Resolved' },
          ]}
        />
      }
    >
      {list.isError ? (
        <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Card>
          <Lines n={5} />
        </Card>
      ) : list.data.data.length === 0 ? (
        <Card>
          <Empty icon="check" title={show === 'open' ? 'Nothing needs you' : 'Nothing was resolved yet'}>
            {show === 'open'
              ? 'Failed settlements, money on the wrong chain and refunds without an address would wait here.'
              : 'What you decide stays here, with who decided it and when.'}
          </Empty>
        </Card>
      ) : (
        <ul className={classes.list}>
          {list.data.data.map((item) => (
            <li key={item.id}>
              <Item of={item} onAct={(action) => setAsked({ item, action })} />
            </li>
          ))}
        </ul>
      )}
      <Pager paging={paging} page={list.data} />
      <Question asked={asked} onClose={() => setAsked(null)} />
    </Page>
  )
}

function Item({ of: item, onAct }: { of: AttentionItem; onAct: (action: string) => void }) {
  const evidence = evidenceLines(item.evidence, useChains())
  const isOpen = item.resolved_at === null
  return (
    <article className={classes.item} data-open={isOpen ? true : undefined} aria-label={kindText(item.kind)}>
      <header className={classes.head}>
        <h2 className={classes.title}>{kindText(item.kind)}</h2>
        <When at={item.created_at} as="full" />
      </header>
      <Text size="sm">
        <bdi>{item.summary}</bdi>
      </Text>
      <dl className={classes.evidence}>
        {item.order_no === null ? null : (
          <div>
            <dt>Order</dt>
            <dd>
              <Link to="/orders/$orderNo" params={{ orderNo: item.order_no }}>
                {item.order_no}
              </Link>
            </dd>
          </div>
        )}
        {evidence.map((line) => (
          <div key={line.key}>
            <dt>{line.name}</dt>
            <dd>
              <Value of={item} line={line} />
            </dd>
          </div>
        ))}
      </dl>
      {isOpen ? null : (
        <Text size="sm" c="dimmed">
          {item.resolution === null ? 'Resolved' : readable(item.resolution)}
          {item.resolved_by === null ? null : (
            <>
              {' by '}
              <bdi>{item.resolved_by}</bdi>
            </>
          )}
          {item.resolved_at === null ? null : (
            <>
              {' · '}
              <When at={item.resolved_at} as="full" />
            </>
          )}
        </Text>
      )}
      {item.actions.length === 0 ? null : (
        <Group gap={8}>
          <SignButton of={item} />
          {item.actions.map((action) => (
            <Button key={action} variant="default" size="sm" onClick={() => onAct(action)}>
              {actText(action).label}
            </Button>
          ))}
        </Group>
      )}
    </article>
  )
}
