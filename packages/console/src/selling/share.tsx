// A page to give to payers: its address to copy, its code to scan, and what the device can share it with.
import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyIcon } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { QrCode } from '../ui/qr.tsx'
import classes from './selling.module.css'

interface ShareProps {
  url: string
  /** What it is, for those who share it. */
  title: string
  children?: ReactNode
}

export function Share({ url, title, children }: ShareProps) {
  const canShare = typeof navigator.share === 'function'
  return (
    <div className={classes.share}>
      <QrCode value={url} label={`Code of the address ${url}`} size={148} />
      <Stack gap={10} className={classes.shareWords}>
        <div className={classes.address}>
          <code>{url}</code>
          <CopyIcon value={url} label="Copy the link" isFramed size={30} />
        </div>
        <Text size="sm" c="dimmed">
          Whoever has this link can pay. Send it, or have it scanned.
        </Text>
        <Group gap={8}>
          <Button
            component="a"
            href={url}
            target="_blank"
            rel="noopener"
            variant="default"
            size="sm"
            rightSection={<Icon name="external" size={14} />}
          >
            Open the page
          </Button>
          {canShare ? (
            <Button
              variant="default"
              size="sm"
              leftSection={<Icon name="send" size={14} />}
              onClick={() => void navigator.share({ title, url }).catch(() => undefined)}
            >
              Share
            </Button>
          ) : null}
          {children}
        </Group>
      </Stack>
    </div>
  )
}
