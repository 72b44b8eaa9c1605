// One item of every kind that can stand about an order, as the service words it: what the pictures and axe look at.
import type { Alarm } from './alarm.ts'
import { chainAlarms } from './chain.ts'
import { refundAlarms } from './refunds.ts'
import { settlementAlarms } from './settlements.ts'

export const alarms: readonly Alarm[] = [...settlementAlarms, ...refundAlarms, ...chainAlarms]
