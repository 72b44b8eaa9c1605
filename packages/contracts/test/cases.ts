// Every way in which an order's money can meet parties that cannot be paid, walked on a node: who gets it, by which call, and
// how long after openAfter. The table that comes out is audit/cases.md.
import assert from 'node:assert/strict'
import { type Address, zeroAddress } from 'viem'
import type { Route } from '../src/index.ts'
import { gateAbi, gateBytecode } from './abi/gate.ts'
import { DAY, freshAddress, fund, NATIVE, routeOn, type Stage, unitsOf, vaultAt } from './stage.ts'

type Party = 'merchant' | 'payer' | 'collector'

export interface Case {
  asset: 'token' | 'native'
  isBound: boolean
  isFull: boolean
  /** Who cannot be paid. */
  blocked: readonly Party[]
}

export interface Walked extends Case {
  /** What relayer and refunder can do at any time. */
  settle: 'yes' | 'without fee' | 'no'
  refund: 'at once' | 'announced' | 'no'
  /** What anybody can do from openAfter on. */
  receiver: 'merchant' | 'payer' | 'nobody'
  by: string
}

const FULL = 10_000_000n

/** All of them; who is not bound cannot be blocked. */
export function allCases(): Case[] {
  const both = [true, false]
  return (['token', 'native'] as const).flatMap((asset) =>
    both.flatMap((isBound) =>
      both.flatMap((isFull) =>
        subsets(isBound ? ['merchant', 'payer', 'collector'] : ['merchant', 'collector']).map((blocked) => {
          return { asset, isBound, isFull, blocked }
        }),
      ),
    ),
  )
}

function subsets(parties: readonly Party[]): Party[][] {
  return Array.from({ length: 2 ** parties.length }, (_, bits) => parties.filter((_, n) => (bits >> n) & 1))
}

interface Laid extends Walked {
  route: Route
}

/** Lays all cases out before their openAfter, tries every call, and goes on in time until nothing moves any more. */
export async function walk(stage: Stage, cases: readonly Case[]): Promise<Walked[]> {
  const { chain, factory, relayer, refunder, stranger } = stage
  const openAfter = (await chain.now()) + 30 * DAY
  const call = (route: Route, name: string, args: readonly unknown[] = [], from = stranger) =>
    chain.revert(factory, name, [route, ...args], { from })
  const laid: Laid[] = []
  for (const one of cases) {
    const route = await lay(stage, one, openAfter)
    for (const [name, args] of OPEN_CALLS(route)) assert.equal(await call(route, name, args), 'TooEarly')
    const settles = async (feeBps: number) =>
      (await call(route, 'settle', [route.token, amountOf(one), feeBps], relayer)) === null
    const settle = (await settles(100)) ? 'yes' : (await settles(0)) ? 'without fee' : 'no'
    const returned = one.isBound
      ? await call(route, 'refundBound', [route.token, amountOf(one)], refunder)
      : await call(route, 'proposeRefund', [route.token, freshAddress('payer'), amountOf(one)], refunder)
    const refund = returned !== null ? 'no' : one.isBound ? 'at once' : 'announced'
    laid.push({ ...one, route, settle, refund, receiver: 'nobody', by: '–' })
  }

  const tryAll = async (name: string, args: (route: Route) => readonly unknown[], by: string) => {
    for (const row of laid.filter(({ receiver }) => receiver === 'nobody')) {
      if ((await call(row.route, name, args(row.route))) !== null) continue
      await chain.do(factory, name, [row.route, ...args(row.route)], { from: stranger })
      const got = async (who: Address) => (await unitsOf(stage, row.route.token, who)) > 0n
      if (await got(row.route.merchant)) Object.assign(row, { receiver: 'merchant', by })
      else if (row.isBound && (await got(row.route.refundTo))) Object.assign(row, { receiver: 'payer', by })
    }
  }
  const token = (route: Route) => [route.token]
  await chain.warpTo(openAfter)
  await tryAll('settleOpen', () => [], '`settleOpen`')
  await tryAll('rescue', token, '`rescue`')
  await chain.warpBy(7 * DAY)
  await tryAll('rescue', token, '`rescue`, again 7 days later')
  await chain.warpTo(openAfter + 90 * DAY)
  await tryAll('settleOpenNoFee', token, '`settleOpenNoFee`, 90 days later')

  for (const row of laid) await checkRest(stage, row)
  return laid.map(({ route: _, ...row }) => row)
}

const OPEN_CALLS = (route: Route): [name: string, args: readonly unknown[]][] => [
  ['settleOpen', []],
  ['settleOpenNoFee', [route.token]],
  ['rescue', [route.token]],
]

const amountOf = ({ isFull }: Case) => (isFull ? FULL : FULL - 1n)

async function lay(stage: Stage, one: Case, openAfter: number): Promise<Route> {
  const token = one.asset === 'token' ? stage.usdc.address : NATIVE
  const party = async (name: Party): Promise<Address> => {
    const isBlocked = one.blocked.includes(name)
    if (token !== NATIVE || !isBlocked) {
      const address = freshAddress(name)
      if (isBlocked) await setBlocked(stage, token, address, true)
      return address
    }
    const { address } = await stage.chain.deploy(gateAbi, gateBytecode)
    await setBlocked(stage, token, address, true)
    return address
  }
  const route = routeOn(stage, {
    ...{ token, openAfter, merchant: await party('merchant'), collector: await party('collector') },
    refundTo: one.isBound ? await party('payer') : zeroAddress,
  })
  await fund(stage, route, amountOf(one))
  return route
}

async function setBlocked(stage: Stage, token: Address, who: Address, on: boolean): Promise<void> {
  const from = { from: stage.stranger }
  if (token !== NATIVE) await stage.chain.do(stage.usdc, 'setBlacklisted', [who, on], from)
  else await stage.chain.do({ address: who, abi: gateAbi }, 'setClosed', [on], from)
}

/** The vault is empty; or nobody could be paid, and the money goes as soon as one who is bound can be. */
async function checkRest(stage: Stage, row: Laid): Promise<void> {
  const { chain, factory, stranger } = stage
  const { route } = row
  const rest = () => unitsOf(stage, route.token, vaultAt(stage, route))
  if (row.receiver !== 'nobody') return assert.equal(await rest(), 0n, JSON.stringify(row.blocked))
  assert.equal(await rest(), amountOf(row))
  await setBlocked(stage, route.token, route.merchant, false)
  await chain.do(factory, 'rescue', [route, route.token], { from: stranger })
  if ((await rest()) > 0n) {
    await chain.warpBy(7 * DAY)
    await chain.do(factory, 'rescue', [route, route.token], { from: stranger })
  }
  assert.equal(await unitsOf(stage, route.token, route.merchant), amountOf(row))
}

/** The text of audit/cases.md. */
export function renderCases(rows: readonly Walked[]): string {
  const head = [
    'asset',
    'refund address',
    'paid',
    'cannot be paid',
    'relayer settles',
    'refunder refunds',
    'anybody',
    'by',
  ]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const body = rows.map((row) =>
    line([
      ...[row.asset, row.isBound ? 'bound' : 'none', row.isFull ? 'in full' : 'short'],
      ...[row.blocked.join(', ') || '–', row.settle, row.refund, row.receiver, row.by],
    ]),
  )
  return `${[INTRODUCTION, '', line(head), line(head.map(() => '---')), ...body].join('\n')}\n`
}

const INTRODUCTION = `# Who gets the money

Every case of a blocked party, as it was walked on a node by \`test/cases.test.ts\`, which also writes this table
(\`CASES=write\`). "Relayer settles" and "refunder refunds" hold before and after \`openAfter\`; what anybody can do is refused with
\`TooEarly\` before it. "Nobody" means that none of those who are bound could be paid: the test then unblocks the merchant and sees the
money arrive. A token is blocked by its issuer, a native coin by a receiver that refuses it.`
