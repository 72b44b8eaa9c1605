// The calls of the statistics.
import type { StatsMetric, StatsSeries, StatsSummary } from '@florin/protocol'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { boss } from '../api.ts'
import { useLive } from '../mode.ts'
import { keys } from '../query-keys.ts'
import type { Range } from './range.ts'

export function useSummary({ from, to }: Range) {
  const live = useLive()
  return useQuery({
    queryKey: keys.stats(live, 'summary', from, to),
    queryFn: ({ signal }) => boss.get<StatsSummary>('/stats/summary', { livemode: live, from, to }, signal),
    placeholderData: keepPreviousData,
  })
}

export function useSeries(metric: StatsMetric, { from, to, bucket }: Range) {
  const live = useLive()
  return useQuery({
    queryKey: keys.stats(live, 'series', metric, bucket, from, to),
    queryFn: ({ signal }) =>
      boss.get<StatsSeries>('/stats/series', { livemode: live, metric, bucket, from, to, in: 'display' }, signal),
    placeholderData: keepPreviousData,
  })
}
