// Promises: however many want a connection at once, a process makes two at a time, in the order in which they were asked for; what no
// longer waits holds no turn; and hosts that all fail are tried with pauses that grow to half a second.
import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { quickTest as test } from '../../../../../../scripts/sizes.ts'
import { ownDatabase } from '../../../../test/harness.ts'
import { openPool } from '../pool.ts'
import { Turns } from './turns.ts'

const never = new AbortController().signal

test('turns come two at a time and in order; who leaves or waits too long gets none', async () => {
  const turns = new Turns()
  const [one, two] = [await turns.take(50, never), await turns.take(50, never)]
  assert.ok(one !== null && two !== null)
  const leaving = new AbortController()
  const order: string[] = []
  const waiting = ['left', 'late', 'third', 'fourth'].map(async (name) => {
    const end = await turns.take(name === 'late' ? 20 : 5_000, name === 'left' ? leaving.signal : never)
    order.push(`${name} ${end === null ? 'has none' : 'has it'}`)
    return end
  })
  leaving.abort()
  await waiting[1]
  one()
  one()
  const third = await waiting[2]
  assert.deepEqual(order, ['left has none', 'late has none', 'third has it'])
  third?.()
  const fourth = await waiting[3]
  assert.ok(fourth)
  two()
  turns.pause(60)
  const began = performance.now()
  const last = await turns.take(5_000, never)
  assert.ok(last !== null && performance.now() - began > 55, 'nobody had a turn in the pause')
})

/** Before a server, or what is none: counts who connects at once, and is slow. */
async function slow(t: TestContext, url: string | null, answerMs: number) {
  const counts = { now: 0, most: 0, all: 0 }
  const open = new Set<Socket>()
  const server = createServer((near) => {
    open.add(near)
    counts.all++
    counts.most = Math.max(counts.most, ++counts.now)
    let isCounted = true
    const settle = (): void => {
      if (isCounted) counts.now--
      isCounted = false
    }
    near.on('error', () => undefined).on('close', settle)
    setTimeout(() => {
      if (url === null) return near.destroy()
      const { hostname, port } = new URL(url)
      const far = connect(Number(port), hostname)
      open.add(far)
      far.on('error', () => near.destroy()).on('close', () => near.destroy())
      near.on('close', () => far.destroy())
      near.pipe(far).pipe(near)
      // The first answer after the settings are set.
      let ready = 0
      far.on('data', (chunk: Buffer) => {
        if (chunk.includes('Z\0\0\0\x05I') && ++ready === 2) settle()
      })
    }, answerMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const made = new URL(url ?? 'postgres://ann:secret@127.0.0.1/florin')
  made.host = `127.0.0.1:${port}`
  return { counts, url: made.href, host: made.host }
}

test('pools of one database share the turns: a slow server is asked by two, and all are served', async (t) => {
  const server = await slow(t, await ownDatabase(t), 60)
  const pools = ['a', 'b', 'c'].map((applicationName) => openPool({ url: server.url, max: 6, applicationName }))
  t.after(() => Promise.all(pools.map((pool) => pool.end({ timeout: 1 }))))
  await Promise.all(pools.flatMap((pool) => Array.from({ length: 6 }, () => pool`select pg_sleep(0.3)`)))
  assert.equal(server.counts.all, 18)
  assert.equal(server.counts.most, 2)
})

test('where no host serves, those who wait try a few times a second and not a thousand', async (t) => {
  const [one, two] = [await slow(t, null, 0), await slow(t, null, 0)]
  const url = one.url.replace(one.host, `${one.host},${two.host}`)
  const pool = openPool({ url, max: 20, applicationName: 'nobody', acquireMs: 3_000 })
  t.after(() => pool.end({ timeout: 1 }))
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => pool`select 1`))
  assert.ok(asked.every(({ status }) => status === 'rejected'))
  // 50, 100, 200, 400, then 500 ms apart, each host twice.
  const tries = one.counts.all + two.counts.all
  assert.ok(tries >= 8 && tries <= 60, `${tries} tries`)
})
