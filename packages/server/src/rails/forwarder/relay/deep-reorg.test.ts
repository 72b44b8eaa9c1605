// Reorgs past the depth at which settlements and refunds are final, on a real node: what was final is offered again,
// orders and people hear of it, and every order ends right.
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { settleDue } from '../../../../test/orders.ts'
import { balanceOf } from '../../../orders/model/ledger.ts'
import type { OrderState } from '../../../orders/model/state.ts'
import { getOrder } from '../../../orders/store.ts'
import { openMails } from '../../../../test/mails.ts'
import { aWorld, stopNodes, testNode, type World } from '../test/world.fixture.ts'

after(stopNodes)

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
