// The end of a form that makes something: what went wrong, and the button.
import { Button, Group } from '@mantine/core'
import { ErrorNote } from '../ui/state.tsx'

interface SubmitProps {
  of: { error: Error | null; isPending: boolean }
  isReady: boolean
  children: string
}

export function Submit({ of: making, isReady, children }: SubmitProps) {
  return (
    <>
      <ErrorNote error={making.error} />
      <Group justify="flex-end">
        <Button type="submit" size="sm" loading={making.isPending} disabled={!isReady}>
          {children}
        </Button>
      </Group>
    </>
  )
}
