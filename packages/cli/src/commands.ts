// The table of commands, in the order in which the help lists them.
import type { Command } from './command.ts'
import { getDeliveryCommand, listDeliveriesCommand, resendCommand } from './deliveries.ts'
import { doctorCommand } from './doctor/doctor.ts'
import {
  changeEndpointCommand,
  createEndpointCommand,
  deleteEndpointCommand,
  getEndpointCommand,
  listEndpointsCommand,
  rotateEndpointCommand,
  testEndpointCommand,
} from './endpoints.ts'
import { exitCommand } from './exit/exit.ts'
import { goLiveCommand } from './golive/golive.ts'
import { createInvoiceCommand } from './invoice-create.ts'
import { listenCommand } from './listen.ts'
import { operatorCommands } from './operate/operate.ts'
import {
  cancelCommand,
  createCommand,
  getOrderCommand,
  listOrdersCommand,
  lookAgainCommand,
  refundCommand,
} from './orders.ts'
import { askRefundCommand, cancelRefundCommand, listRefundsCommand, paidRefundCommand } from './own-refunds.ts'
import { reconcileCommand } from './reconcile.ts'
import { replayCommand } from './replay.ts'
import {
  closeLinkCommand,
  createLinkCommand,
  getInvoiceCommand,
  getLinkCommand,
  listInvoicesCommand,
  listLinksCommand,
  sendInvoiceCommand,
  voidInvoiceCommand,
} from './selling.ts'
import { thirdPartyCommand } from './third-party.ts'
import { triggerCommand } from './trigger.ts'

export const commands: readonly Command[] = [
  listenCommand,
  triggerCommand,
  doctorCommand,
  listOrdersCommand,
  getOrderCommand,
  createCommand,
  cancelCommand,
  lookAgainCommand,
  refundCommand,
  listRefundsCommand,
  askRefundCommand,
  paidRefundCommand,
  cancelRefundCommand,
  listLinksCommand,
  getLinkCommand,
  createLinkCommand,
  closeLinkCommand,
  listInvoicesCommand,
  getInvoiceCommand,
  createInvoiceCommand,
  sendInvoiceCommand,
  voidInvoiceCommand,
  listEndpointsCommand,
  getEndpointCommand,
  createEndpointCommand,
  changeEndpointCommand,
  rotateEndpointCommand,
  testEndpointCommand,
  deleteEndpointCommand,
  listDeliveriesCommand,
  getDeliveryCommand,
  resendCommand,
  replayCommand,
  reconcileCommand,
  thirdPartyCommand,
  goLiveCommand,
  exitCommand,
  ...operatorCommands,
]
