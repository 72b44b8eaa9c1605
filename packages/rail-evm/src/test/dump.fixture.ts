// All that is known of an order and of its addresses on the chain, for a test that found it not as it should be.
import type { OrderState } from '@florin/order-model/state'
import { type Hex, isHex } from 'viem'
import { getOrder } from '../../../server/src/orders/store.ts'
import type { World } from './world.fixture.ts'

export async function dumpOf(world: World, { orderNo, orderRef }: OrderState): Promise<string> {
  const { sql } = world.deps
  const { status, detail, lookAt, payments, settlements, refunds, legs } = await getOrder(sql, orderNo)
  const vaults = legs.map((leg) => (leg.address ?? '').toLowerCase())
  const items = await sql<{ id: string }[]>`select * from relay_items where order_ref = ${orderRef} order by id`
  const outbox = await sql`
    select o.chain, o.signer, o.nonce, o.state, o.item_ids, o.mined_hash, o.mined_height, o.sent_height, o.lost_looks,
      array(select a.hash from relay_attempts a where (a.chain, a.signer, a.nonce) = (o.chain, o.signer, o.nonce)) as hashes
    from relay_outbox o where o.item_ids && ${items.map(({ id }) => id)} order by o.nonce`
  const hashes = [...outbox.flatMap((row) => row.hashes as string[]), ...payments.map((row) => row.txHash)]
  const onChain = await Promise.all(
    hashes
      .filter((hash): hash is Hex => isHex(hash))
      .map(async (hash) => {
        const receipt = await world.client.getTransactionReceipt({ hash }).catch(() => null)
        return {
          hash,
          block: receipt?.blockNumber,
          is: receipt?.blockHash,
          status: receipt?.status,
          logs: receipt?.logs.length,
        }
      }),
  )
  const known = {
    ...{ orderNo, status, detail, lookAt, payments, settlements, refunds, items, outbox, onChain },
    logs: await sql`select * from forwarder_factory_logs where vault = any(${vaults}) order by height`,
    observations: await sql`select * from forwarder_observations where order_ref = ${orderRef} order by height`,
    facts: await sql`select * from rail_facts where order_ref = ${orderRef}`,
    attention: await sql`select kind, cause, resolved_at from attention where order_no = ${orderNo}`,
    cursors: await sql`select * from chain_cursors`,
    holds: await Promise.all(vaults.map((vault) => world.unitsOf(world.node.usdc, vault))),
  }
  return JSON.stringify(known, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 1)
}
