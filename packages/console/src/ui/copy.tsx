// Everything that is copied: ids, addresses and secrets in monospace with a button, and blocks of code.
import { ActionIcon, CopyButton, Tooltip, VisuallyHidden } from '@mantine/core'
import { reachable } from './a11y.ts'
import classes from './copy.module.css'
import { middle } from './format.ts'
import { Icon } from './icon.tsx'

interface CopyIconProps {
  value: string
  label: string
  size?: number
  /** With a border, beside buttons that have one. */
  isFramed?: boolean
}

export function CopyIcon({ value, label, size = 24, isFramed }: CopyIconProps) {
  return (
    <CopyButton value={value} timeout={1800}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon
            size={size}
            variant={isFramed === true ? 'default' : 'subtle'}
            aria-label={label}
            className={classes.button}
            onClick={(event) => {
              event.preventDefault()
              copy()
            }}
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
            <VisuallyHidden aria-live="polite">{copied ? 'Copied' : ''}</VisuallyHidden>
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}

interface MonoProps {
  value: string
  /** What it is, for the button: "Copy order number". */
  what: string
  /** Characters kept at both ends; left out, the whole text is shown and wraps. */
  ends?: readonly [head: number, tail: number]
}

export function Mono({ value, what, ends }: MonoProps) {
  return (
    <span className={classes.mono}>
      <code
        dir="auto"
        className={ends === undefined ? classes.whole : classes.short}
        title={ends === undefined ? undefined : value}
      >
        {ends === undefined ? value : middle(value, ...ends)}
      </code>
      <CopyIcon value={value} label={`Copy ${what}`} />
    </span>
  )
}

export function CodeBlock({ code, label, maxHeight }: { code: string; label: string; maxHeight?: number }) {
  return (
    <figure className={classes.block} aria-label={label}>
      <section aria-label={label} {...reachable} className={classes.scroll} style={{ maxHeight }}>
        <pre>{code}</pre>
      </section>
      <span className={classes.corner}>
        <CopyIcon value={code} label={`Copy ${label}`} size={26} />
      </span>
    </figure>
  )
}
