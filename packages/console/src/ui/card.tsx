// The quiet box that facts and actions stand in, and the row of one action: what it does, and its button.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './card.module.css'

export const Card = ({ children }: { children: ReactNode }) => <div className={classes.card}>{children}</div>

export function Act({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.act}>
      <div className={classes.words}>
        <Text size="sm" fw={550}>
          {title}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          {text}
        </Text>
      </div>
      {children}
    </div>
  )
}
