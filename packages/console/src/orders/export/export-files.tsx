// Exports that a worker writes: asked for here, followed while they grow, fetched and deleted. They go on without this page.
import type { OrderExport } from '@florin/protocol'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { boss, withQuery } from '../../api.ts'
import { useLive } from '../../mode.ts'
import { keys } from '../../query-keys.ts'
import { bytes, counted } from '../../ui/format.ts'
import { saveFile } from '../../ui/save.ts'
import { ErrorNote } from '../../ui/state.tsx'
import { When } from '../../ui/time.tsx'
import { useZone } from '../../zone.ts'
import { type OrderSearch, orderQuery } from '../search.ts'
import { exportName } from './csv.ts'

const LOOK_AGAIN_MS = 2_000

export function ExportFiles({ search }: { search: OrderSearch }) {
  const live = useLive()
  const zone = useZone()
  const client = useQueryClient()
  const files = useQuery({
    queryKey: keys.exports(live),
    queryFn: ({ signal }) => boss.get<OrderExport[]>('/exports', { livemode: live }, signal),
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'writing') ? LOOK_AGAIN_MS : false),
  })
  const again = () => client.invalidateQueries({ queryKey: keys.exports(live) })
  const write = useMutation({
    mutationFn: () => boss.post<OrderExport>(withQuery('/exports', orderQuery(search, { live, zone }))),
    onSettled: again,
  })
  return (
    <Stack gap={8}>
      <Group justify="space-between" gap={8}>
        <Text size="sm" c="dimmed" flex="1 1 220px">
          Many orders take minutes. A file is written without this page, and kept for seven days.
        </Text>
        <Button variant="default" size="sm" loading={write.isPending} onClick={() => write.mutate()}>
          Write a file
        </Button>
      </Group>
      {write.error === null ? null : <ErrorNote error={write.error} />}
      {files.error === null ? null : <ErrorNote error={files.error} />}
      {files.data === undefined || files.data.length === 0 ? null : (
        <Stack component="ul" gap={8} m={0} p={0} style={{ listStyle: 'none' }} aria-label="Files">
          {files.data.map((file) => (
            <FileLine key={file.id} file={file} onChange={again} />
          ))}
        </Stack>
      )}
    </Stack>
  )
}

function FileLine({ file, onChange }: { file: OrderExport; onChange: () => Promise<void> }) {
  const zone = useZone()
  const fetchIt = useMutation({
    mutationFn: async () => {
      const signal = new AbortController().signal
      const response = await boss.open(`/exports/${file.id}/file`, {}, { accept: 'application/gzip', signal })
      saveFile(await response.blob(), `${exportName(file.livemode, new Date(file.created_at), zone)}.gz`)
    },
  })
  const remove = useMutation({
    mutationFn: () => boss.delete<unknown>(`/exports/${file.id}`),
    onSettled: onChange,
  })
  const so = `${counted(file.rows, 'order')} · ${bytes(file.bytes)}`
  return (
    <li>
      <Group justify="space-between" gap={8}>
        <Stack gap={0} flex="1 1 180px">
          <Text size="sm">
            {file.status === 'writing' ? 'Being written' : file.status === 'done' ? 'Ready' : 'Failed'}, asked for{' '}
            <When at={file.created_at} />
          </Text>
          <Text size="xs" c="dimmed" className="nums" aria-live="polite">
            {file.status === 'failed' ? 'Ask for it again. ' : so}
            {file.status === 'done' ? (
              <>
                {' · until '}
                <When at={file.expires_at} />
              </>
            ) : null}
          </Text>
        </Stack>
        <Group gap={8}>
          {file.status === 'done' ? (
            <Button variant="default" size="xs" loading={fetchIt.isPending} onClick={() => fetchIt.mutate()}>
              Download
            </Button>
          ) : null}
          <Button variant="subtle" color="gray" size="xs" loading={remove.isPending} onClick={() => remove.mutate()}>
            {file.status === 'writing' ? 'Stop' : 'Delete'}
          </Button>
        </Group>
      </Group>
      {fetchIt.error === null ? null : <ErrorNote error={fetchIt.error} />}
      {remove.error === null ? null : <ErrorNote error={remove.error} />}
    </li>
  )
}
