// Attention items of a change of an order: those that it ends, and those that it asks for.
import { attentionOver, isMoot } from '@florin/order-model/attention/over'
import { alarmEnd } from '@florin/order-model/attention/raised'
import { closeAttention } from '../../attention/store.ts'
import type { OrderEffect } from '../effects.ts'
import { owedFor, owedOver } from './owed-item.ts'
import { raise } from './raise.ts'

export const closeEffect: OrderEffect = (_deps, { tx, before, after, facts, now }) =>
  [
    ...attentionOver(before, after),
    ...owedOver(before, after),
    ...facts.flatMap((fact) => (fact.kind === 'alarm_over' ? [alarmEnd(after, fact)] : [])),
  ].map((over) => () => closeAttention(tx, after, over, now))

export const raiseEffect: OrderEffect = (deps, { tx, before, after, attention, now }) =>
  [...attention.filter((wish) => !isMoot(after, wish)), ...owedFor(before, after)].map(
    (input) => () => raise(deps, tx, after, input, now),
  )
