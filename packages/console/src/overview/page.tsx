// The overview: what is left to set up, what needs a decision, and how business went in a range of time.
import { SegmentedControl, Skeleton, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useOpenAttention } from '../attention/queries.ts'
import { useLive } from '../mode.ts'
import { Icon } from '../ui/icon.tsx'
import { LinkAnchor } from '../ui/link.tsx'
import { Page } from '../ui/page.tsx'
import { ErrorNote } from '../ui/state.tsx'
import { useNow, ZoneNote } from '../ui/time.tsx'
import { useZone } from '../zone.ts'
import { GoLiveGuide, useGoLive } from './golive.tsx'
import { SetupGuide } from './guide.tsx'
import { OrdersByStatus } from './orders-by-status.tsx'
import classes from './overview.module.css'
import { Plots } from './plots.tsx'
import { useSummary } from './queries.ts'
import { type RangeSearch, rangeNames, rangeOf } from './range.ts'
import { isSetUp, useSetupState } from './setup.ts'

const route = getRouteApi('/shell/')

export default function OverviewPage() {
  const live = useLive()
  const search = route.useSearch()
  const navigate = useNavigate()
  const { setup, isWaiting } = useSetupState()
  const goLive = useGoLive()
  const range = rangeOf(search, useNow(), useZone())
  const summary = useSummary(range)
  const change = (next: RangeSearch) => void navigate({ to: '/', search: next, replace: true })
  // Without a single order yet, seven empty boxes would only hide the guide.
  const isFirst = !live && setup !== null && setup.order === null
  // One sentence instead of a box for each figure that is missing.
  const isDown = summary.isError && summary.data === undefined
  return (
    <Page
      title="Overview"
      actions={isFirst || (!live && isWaiting) ? null : <RangeControl search={search} onChange={change} />}
    >
      {!live && setup !== null && !isSetUp(setup) ? (
        <div className={classes.guide}>
          <SetupGuide setup={setup} />
        </div>
      ) : null}
      {live && goLive !== null && goLive.next !== null ? (
        <div className={classes.guide}>
          <GoLiveGuide of={goLive} />
        </div>
      ) : null}
      <AttentionNote />
      {summary.isError ? <ErrorNote error={summary.error} onRetry={() => void summary.refetch()} /> : null}
      {!live && isWaiting && !summary.isError ? (
        <Skeleton height={260} radius={10} />
      ) : isFirst || isDown ? null : (
        <div className={classes.stack}>
          <OrdersByStatus summary={summary.data} isStale={summary.isPlaceholderData} />
          <Plots range={range} summary={summary.data} />
        </div>
      )}
    </Page>
  )
}

const rangeLabels = { '24h': '24 h', '7d': '7 days', '30d': '30 days', '90d': '90 days', custom: 'Custom' } as const

function RangeControl({ search, onChange }: { search: RangeSearch; onChange: (search: RangeSearch) => void }) {
  const name = search.range ?? '7d'
  return (
    <div className={classes.range}>
      <SegmentedControl
        size="xs"
        aria-label="Range of time"
        data={rangeNames.map((value) => ({ value, label: rangeLabels[value] }))}
        value={name}
        onChange={(value) =>
          onChange(value === '7d' ? {} : { ...search, range: rangeNames.find((each) => each === value) ?? '7d' })
        }
      />
      {name === 'custom' ? (
        <div className={classes.days}>
          {(['from', 'to'] as const).map((end) => (
            <TextInput
              key={end}
              size="xs"
              type="date"
              aria-label={end === 'from' ? 'From' : 'To'}
              value={search[end] ?? ''}
              onChange={(event) => onChange({ ...search, [end]: event.currentTarget.value || undefined })}
            />
          ))}
        </div>
      ) : null}
      <ZoneNote className={classes.zone} />
    </div>
  )
}

function AttentionNote() {
  const open = useOpenAttention().length
  if (open === 0) return null
  return (
    <p className={classes.attention}>
      <Icon name="attention" />
      <span>
        {open === 1 ? 'One thing needs' : `${open} things need`} your decision.{' '}
        <LinkAnchor to="/attention" size="sm" c="inherit" td="underline">
          Look
        </LinkAnchor>
      </span>
    </p>
  )
}
