// Effects of a change of an order, in the sequence in which their statements are sent.
import type { OrderEffect } from './orders/effects.ts'
import { eventEffect } from './orders/events.ts'
import { compareEffect } from './orders/reconcile/soon.ts'
import { closeEffect, raiseEffect } from './orders/tell/attention.ts'
import { mailEffect } from './orders/tell/order-mails.ts'
import { invoiceEffect } from './selling/invoices/effects.ts'

export const orderEffects: readonly OrderEffect[] = [
  eventEffect,
  compareEffect,
  closeEffect,
  mailEffect,
  raiseEffect,
  invoiceEffect,
]
