// Promises: the number of connections that a process may open is what docs/operations.md says, and a start that finds too little room says so.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ownDatabase } from '../../../../server/test/harness.ts'
import { countConnections } from '../calls.ts'
import { openPool, withoutLimits } from '../pool.ts'
import { type Kind, mostConnections } from '../pools.ts'
import { checkRoom } from '../room.ts'

test('the sums of the documentation are those of the program', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../../../docs/operations.md'), 'utf8')
  for (const kind of ['api', 'worker', 'all'] as const satisfies Kind[])
    assert.match(text, new RegExp(`^\\| \`MODE=${kind}\` \\|.* \\| ${mostConnections(kind)} \\|$`, 'm'), kind)
})

test('connections of every role count, and a start that finds too little room says how much there is', async (t) => {
  const url = await ownDatabase(t)
  const sql = openPool({ url, max: 2, applicationName: 'room test', limits: withoutLimits })
  const role = `room_${randomBytes(4).toString('hex')}`
  await sql.unsafe(`create role ${role} login password 'of-the-test'`)
  const other = Object.assign(new URL(url), { username: role, password: 'of-the-test' }).href
  // A role that may not see of what kind the sessions of others are.
  const small = openPool({ url: other, max: 1, applicationName: 'room test', limits: withoutLimits })
  const processes = openPool({ url, max: 4, applicationName: 'florin worker readiness', limits: withoutLimits })
  t.after(async () => {
    await Promise.all([small.end({ timeout: 1 }), processes.end({ timeout: 1 })])
    await sql.unsafe(`drop role ${role}`)
    await sql.end({ timeout: 1 })
  })
  const isSeen = Promise.withResolvers<void>()
  const openOne = () =>
    processes.begin(async (tx) => {
      await tx`select 1`
      opened.push(undefined)
      await isSeen.promise
    })
  const opened: undefined[] = []
  const all = Promise.all(Array.from({ length: 4 }, openOne))
  while (opened.length < 4) await new Promise((resolve) => setTimeout(resolve, 10))
  const { inUse, usable } = await countConnections(small)
  assert.ok(inUse >= 6, `${inUse} are in use`)
  const said: string[] = []
  await checkRoom(small, 'api', (line) => said.push(line))
  isSeen.resolve()
  await all
  const most = mostConnections('api') + 4 * mostConnections('worker')
  if (most > usable) assert.match(said.join(), new RegExp(`may open ${most} connections.* has ${usable} for them`))
  else assert.deepEqual(said, [])
})
