// Which mails the merchant wants. The link under each mail does the same.
import { Stack, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { boss } from '../api.ts'
import { keys } from '../query-keys.ts'
import { ErrorNote, Lines } from '../ui/state.tsx'

const words = {
  paid: ['Paid orders', 'One by one up to ten an hour; more come in one mail an hour'],
  webhooks: ['Webhooks that nobody takes', 'Once for each receiver'],
  weekly: ['A summary on Mondays', 'After weeks with live orders'],
  receipts: ['Receipts and refund notices to your payers', 'Where an order knows their email'],
} as const
type Kind = keyof typeof words
type Switches = Record<Kind, boolean>

export function MailSection() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: keys.mails(),
    queryFn: ({ signal }) => boss.get<Switches>('/mails', {}, signal),
  })
  const change = useMutation({
    mutationFn: (wish: Partial<Switches>) => boss.patch<Switches>('/mails', wish),
    onSuccess: (now) => client.setQueryData(keys.mails(), now),
  })
  if (data === undefined) {
    return error === null ? <Lines n={4} /> : <ErrorNote error={error} onRetry={() => void refetch()} />
  }
  return (
    <Stack gap={12}>
      {(Object.keys(words) as Kind[]).map((kind) => (
        <Switch
          key={kind}
          label={words[kind][0]}
          description={words[kind][1]}
          checked={data[kind]}
          onChange={(event) => change.mutate({ [kind]: event.currentTarget.checked })}
        />
      ))}
      <ErrorNote error={change.error} />
    </Stack>
  )
}
