// The export: the filter as it stands, read as it arrives with what has come so far, and saved as one file.
import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { boss } from '../api.ts'
import { useLive } from '../mode.ts'
import { bytes, count, counted } from '../ui/format.ts'
import { saveFile } from '../ui/save.ts'
import { ErrorNote } from '../ui/state.tsx'
import { exportName, makeRowCounter } from './csv.ts'
import { isFiltered, type OrderSearch, orderQuery } from './search.ts'

interface Progressed {
  rows: number
  size: number
}

type State =
  | { kind: 'idle' }
  | { kind: 'running'; so: Progressed }
  | { kind: 'done'; so: Progressed; name: string }
  | { kind: 'failed'; error: unknown }

async function read(query: ReturnType<typeof orderQuery>, signal: AbortSignal, onProgress: (so: Progressed) => void) {
  const response = await boss.open('/orders/export', { ...query, format: 'csv' }, { accept: 'text/csv', signal })
  const countRows = makeRowCounter()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const so: Progressed = { rows: 0, size: 0 }
  const reader = response.body?.getReader()
  for (;;) {
    const piece = await reader?.read()
    if (piece === undefined || piece.done) break
    pieces.push(piece.value)
    so.rows = countRows(piece.value)
    so.size += piece.value.byteLength
    onProgress({ ...so })
  }
  return { blob: new Blob(pieces, { type: 'text/csv' }), so }
}

export function ExportOrders({
  opened,
  onClose,
  search,
}: {
  opened: boolean
  onClose: () => void
  search: OrderSearch
}) {
  const live = useLive()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const own = new AbortController()
    running.current = own
    setState({ kind: 'running', so: { rows: 0, size: 0 } })
    try {
      const { blob, so } = await read(orderQuery(search, live), own.signal, (now) =>
        setState({ kind: 'running', so: now }),
      )
      const name = exportName(live, new Date())
      saveFile(blob, name)
      setState({ kind: 'done', so, name })
    } catch (error) {
      setState(own.signal.aborted ? { kind: 'idle' } : { kind: 'failed', error })
    }
  }
  const close = () => {
    running.current?.abort()
    setState({ kind: 'idle' })
    onClose()
  }
  return (
    <Modal opened={opened} onClose={close} title="Export orders">
      <Stack gap={14}>
        <Text size="sm">
          {isFiltered(search) ? 'All orders that fit the filter' : `All ${live ? 'live' : 'test'} orders`}, as CSV with
          one row each, the newest first.
        </Text>
        <div aria-live="polite">
          {state.kind === 'running' ? (
            <Stack gap={6}>
              <Progress value={100} animated aria-label="Exporting" />
              <Text size="sm" className="nums">
                {counted(state.so.rows, 'order')} · {bytes(state.so.size)}
              </Text>
            </Stack>
          ) : state.kind === 'done' ? (
            <Text size="sm">
              Saved {count(state.so.rows)} orders ({bytes(state.so.size)}) as <code>{state.name}</code>.
            </Text>
          ) : state.kind === 'failed' ? (
            <ErrorNote error={state.error} />
          ) : null}
        </div>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" size="sm" onClick={close}>
            {state.kind === 'running' ? 'Stop' : 'Close'}
          </Button>
          <Button size="sm" loading={state.kind === 'running'} onClick={() => void start()}>
            {state.kind === 'done' ? 'Export again' : 'Export CSV'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
