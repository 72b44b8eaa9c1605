// The export: the filter as it stands, read as it arrives with what has come so far, and saved as one file.
import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { boss } from '../../api.ts'
import { useLive } from '../../mode.ts'
import { bytes, count, counted } from '../../ui/format.ts'
import { saveFile } from '../../ui/save.ts'
import { ErrorNote } from '../../ui/state.tsx'
import { useZone } from '../../zone.ts'
import { isFiltered, type OrderSearch, orderQuery } from '../search.ts'
import { exportName, makeRowReader, orderOfRow } from './csv.ts'

interface Progressed {
  rows: number
  size: number
}

type State =
  | { kind: 'idle' }
  | { kind: 'running'; so: Progressed }
  | { kind: 'done'; so: Progressed; name: string }
  | { kind: 'failed'; error: unknown }

/** One that breaks off goes on behind its last whole row, unless it breaks off again without another. */
async function read(query: ReturnType<typeof orderQuery>, signal: AbortSignal, onProgress: (so: Progressed) => void) {
  let file = new Blob([], { type: 'text/csv' })
  let after: string | null = null
  let rows = 0
  for (;;) {
    const brought = await readOn(query, after, signal, (now) =>
      onProgress({ rows: rows + now.rows, size: file.size + now.size }),
    )
    file = new Blob([file, brought.blob], { type: 'text/csv' })
    rows += brought.rows
    if (brought.failure === null) return { blob: file, so: { rows, size: file.size } }
    if (brought.last === null || signal.aborted) throw brought.failure
    after = brought.last
  }
}

/** What one answer brings: all of it, or its whole rows and why there are no more. */
async function readOn(
  query: ReturnType<typeof orderQuery>,
  after: string | null,
  signal: AbortSignal,
  onProgress: (so: Progressed) => void,
) {
  const asked = { ...query, format: 'csv', ...(after === null ? {} : { after }) }
  const response = await boss.open('/orders/export', asked, { accept: 'text/csv', signal })
  const reader = makeRowReader(after === null)
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const so: Progressed = { rows: 0, size: 0 }
  const body = response.body?.getReader()
  try {
    for (;;) {
      const piece = await body?.read()
      if (piece === undefined || piece.done) break
      pieces.push(piece.value)
      so.rows = reader.read(piece.value)
      so.size += piece.value.byteLength
      onProgress({ ...so })
    }
    return { blob: new Blob(pieces), rows: so.rows, last: null, failure: null }
  } catch (failure) {
    const row = reader.lastRow()
    const all = new Blob(pieces)
    const last = row === null ? null : orderOfRow(await all.slice(row.start, row.end).text())
    return { blob: all.slice(0, row?.end ?? 0), rows: so.rows, last, failure }
  }
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
  const zone = useZone()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const own = new AbortController()
    running.current = own
    setState({ kind: 'running', so: { rows: 0, size: 0 } })
    try {
      const { blob, so } = await read(orderQuery(search, { live, zone }), own.signal, (now) =>
        setState({ kind: 'running', so: now }),
      )
      const name = exportName(live, new Date(), zone)
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
