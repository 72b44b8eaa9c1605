// The frame of a page: its title (also the tab's), what can be done, and where focus goes when one arrives.
import { Group, Text } from '@mantine/core'
import type { LinkProps } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'
import { LinkAnchor } from './link.tsx'
import classes from './page.module.css'

let hasArrived = false

interface PageProps {
  title: string
  /** Shown in the place of the title, where it is more than text. */
  heading?: ReactNode
  lead?: ReactNode
  actions?: ReactNode
  back?: { to: NonNullable<LinkProps['to']>; label: string }
  children: ReactNode
}

export function Page({ title, heading, lead, actions, back, children }: PageProps) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Florin`
  }, [title])
  useEffect(() => {
    // Someone who reads with a screen reader hears where they are; the very first page is announced by the browser.
    if (hasArrived) ref.current?.focus({ preventScroll: true })
    hasArrived = true
  }, [])
  return (
    <div className={classes.page}>
      {back === undefined ? null : (
        <LinkAnchor to={back.to} size="sm" className={classes.back}>
          <Icon name="left" size={14} />
          {back.label}
        </LinkAnchor>
      )}
      <header className={classes.head}>
        <div className={classes.titles}>
          <h1 ref={ref} tabIndex={-1} className={classes.title}>
            {heading ?? title}
          </h1>
          {lead === undefined ? null : (
            <Text size="sm" c="dimmed" component="div" maw={680}>
              {lead}
            </Text>
          )}
        </div>
        {actions === undefined ? null : <Group gap={8}>{actions}</Group>}
      </header>
      {children}
    </div>
  )
}

export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <header className={classes.sectionHead}>
        <h2 className={classes.sectionTitle}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

/** Names and values side by side, one under another where it is narrow. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
