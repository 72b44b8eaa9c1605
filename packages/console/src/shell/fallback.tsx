// The pages for what does not exist and for faults of the console itself.
import { Stack, VisuallyHidden } from '@mantine/core'
import { LinkButton } from '../ui/link.tsx'
import { Empty, ErrorNote } from '../ui/state.tsx'

export function NotFound() {
  return (
    <main>
      <VisuallyHidden component="h1">Not found</VisuallyHidden>
      <Empty
        icon="search"
        title="There is no such page"
        action={
          <LinkButton to="/" variant="default" size="sm">
            To the overview
          </LinkButton>
        }
      >
        The link may be old, or a character is missing in it.
      </Empty>
    </main>
  )
}

export function PageError({ error }: { error: unknown }) {
  return (
    <Stack p={24} maw={640} mx="auto" mt={40}>
      <ErrorNote error={error} onRetry={() => location.reload()} />
    </Stack>
  )
}
