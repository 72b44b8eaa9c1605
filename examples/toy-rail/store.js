// The SQL of the rail. Its tables begin with its name, and no other code reads them.

/** Run at each start that may change the schema. */
export async function migrate(sql) {
  await sql.unsafe(`
    create table if not exists toy_legs (ref text primary key, order_ref text not null, address text not null unique);
    create table if not exists toy_moves (
      id text primary key, kind text not null, leg_ref text not null references toy_legs, recipient text not null,
      asset json not null, amount numeric not null, fee numeric not null, state text not null default 'waiting');
    create index if not exists toy_moves_waiting on toy_moves (id) where state = 'waiting';
    create table if not exists toy_cursor (one boolean primary key default true check (one), n int not null, read_at timestamptz);
    insert into toy_cursor (n) values (0) on conflict do nothing;`)
}

export const insertLeg = (sql, { legRef, orderRef, address }) =>
  sql`insert into toy_legs (ref, order_ref, address) values (${legRef}, ${orderRef}, ${address}) on conflict do nothing`

const leg = (sql) => sql`select ref, order_ref as "orderRef", address from toy_legs`

export const listLegs = (sql, refs) => sql`${leg(sql)} where ref = any(${refs}::text[])`

export async function findLegByAddress(tx, address) {
  const [row = null] = await tx`${leg(tx)} where address = ${address}`
  return row
}

/** A request that was written down before is left as it is. */
export async function insertMoves(sql, moves) {
  for (const { id, kind, legRef, recipient, asset, amount, fee } of moves)
    await sql`
      insert into toy_moves (id, kind, leg_ref, recipient, asset, amount, fee)
      values (${id}, ${kind}, ${legRef}, ${recipient}, ${sql.json(asset)}, ${String(amount)}, ${String(fee)})
      on conflict do nothing`
}

const move = (sql) => sql`
  select m.id, m.kind, m.leg_ref as "legRef", l.order_ref as "orderRef", l.address, m.recipient, m.asset,
    m.amount::text as amount, m.fee::text as fee, m.state
  from toy_moves m join toy_legs l on l.ref = m.leg_ref`

const readMove = (row) => ({ ...row, amount: BigInt(row.amount), fee: BigInt(row.fee) })

export async function listWaiting(sql) {
  return (await sql`${move(sql)} where m.state = 'waiting' order by m.id limit 100`).map(readMove)
}

export async function findMove(tx, id) {
  const [row] = await tx`${move(tx)} where m.id = ${id}`
  return row === undefined ? null : readMove(row)
}

export const setMove = (sql, id, state) => sql`update toy_moves set state = ${state} where id = ${id}`

/** Locked until the commit: two workers do not report the same events. */
export async function lockCursor(tx) {
  const [row] = await tx`select n from toy_cursor for update`
  return row.n
}

export async function findCursor(sql) {
  const [row] = await sql`select read_at as "readAt" from toy_cursor`
  return row
}

export const saveCursor = (tx, n, now) => tx`update toy_cursor set n = ${n}, read_at = ${now}`
