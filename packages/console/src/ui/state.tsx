// What stands where data does not: an error with the server's sentence and request id, an empty list that helps,
// and skeletons of the size of what will come.
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../api.ts'
import { Mono } from './copy.tsx'
import { Icon, type IconName } from './icon.tsx'
import classes from './state.module.css'

/**
 * Any failure, said to a person. Announced as soon as it appears. The request's id is for the operator, so it is shown where
 * the failure is the operator's. What does not exist is not asked for again.
 */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (error === null || error === undefined) return null
  const known = error instanceof ApiError ? error : null
  const text = known?.message ?? 'The console itself failed here. Reload the page; if it stays, tell the operator.'
  return (
    <div role="alert" className={classes.error}>
      <Icon name="warning" />
      <div className={classes.errorText}>
        <Text size="sm">{text}</Text>
        {known?.retryAfterS ? (
          <Text size="xs" className={classes.aside}>
            Try again in {known.retryAfterS} s.
          </Text>
        ) : null}
        {known?.requestId && known.status >= 500 ? (
          <Text size="xs" component="div" className={classes.aside}>
            Request <Mono value={known.requestId} what="request id" />
          </Text>
        ) : null}
      </div>
      {onRetry === undefined || known?.status === 404 ? null : (
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

interface EmptyProps {
  icon: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
  /** Beside other things on a page. */
  isSmall?: boolean
}

export function Empty({ icon, title, children, action, isSmall }: EmptyProps) {
  return (
    <div className={classes.empty} data-small={isSmall === true ? true : undefined}>
      <span className={classes.emptyIcon}>
        <Icon name={icon} size={20} />
      </span>
      <Text fw={600} size="md">
        {title}
      </Text>
      {children === undefined ? null : (
        <Text size="sm" c="dimmed" maw={440} component="div">
          {children}
        </Text>
      )}
      {action === undefined ? null : <Group mt={8}>{action}</Group>}
    </div>
  )
}

const lineWidths = [92, 71, 84, 63, 88, 57, 79, 66, 90, 74]

export function Lines({ n = 3, height = 14 }: { n?: number; height?: number }) {
  return (
    <Stack gap={10} aria-hidden="true">
      {lineWidths.slice(0, n).map((width) => (
        <Skeleton key={width} height={height} width={`${width}%`} />
      ))}
    </Stack>
  )
}
