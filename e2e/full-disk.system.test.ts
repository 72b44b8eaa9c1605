// A disk that is really full: the embedded PostgreSQL on a small file system of its own that something else fills up. What
// needs room is refused so that it is tried again, reads go on as long as PostgreSQL does, and once there is room all goes on with the
// same process.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { startFlorin, until } from './florin.ts'
import { call, signUp, startInbox } from './merchant.ts'

const execute = promisify(execFile)
const SIZE_MB = 320
const CHUNK = Buffer.alloc(1 << 20)

/** A file system in memory, so small that it is soon full. Only root may mount one. */
async function smallDisk(t: TestContext) {
  assert.equal(process.getuid?.(), 0, 'run this as root on Linux: it mounts a small file system')
  const folder = await mkdtemp(join(tmpdir(), 'florin-disk-'))
  await execute('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'florin-test', folder])
  t.after(async () => {
    // Lazily: a process that is being killed may still hold a file.
    await execute('umount', ['-l', folder])
    await rm(folder, { recursive: true, force: true })
  })
  const filler = join(folder, 'filler')
  return {
    folder,
    /** Takes whatever is left, to the last page. */
    async fill(): Promise<void> {
      const file = await open(filler, 'a')
      try {
        for (const chunk of [CHUNK, CHUNK.subarray(0, 4096)]) {
          for (;;) if (!(await file.write(chunk).then(() => true, isFull))) break
        }
      } finally {
        await file.close()
      }
      const { bavail } = await statfs(folder)
      assert.equal(bavail, 0)
    },
    free: () => rm(filler),
  }
}

function isFull(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
  throw error
}

test('a disk that fills up is 503 and unready, never 500, and all goes on when there is room again', async (t) => {
  const disk = await smallDisk(t)
  const inbox = await startInbox()
  t.after(() => inbox.close())
  const florin = await startFlorin({ SMTP_URL: inbox.smtpUrl, DATA_DIR: join(disk.folder, 'data') })
  t.after(() => florin.close())
  const shop = await signUp(florin.url, inbox, 'disk@shop.example')
  const answers: number[] = []
  const create = async (id: string) => {
    // The key makes a call that is sent again the same call, as a shop's server does it.
    const answer = await call<{ order_no?: string; error?: { code: string } }>(`${florin.url}/v1/orders`, 'POST', {
      headers: { ...shop.key, 'idempotency-key': id },
      body: { amount_usd: 20, settle_chain: 'base', external_id: id, metadata: { note: 'x'.repeat(400) } },
    })
    answers.push(answer.status)
    return answer
  }
  const ready = async () => (await fetch(`${florin.url}/readyz`)).status
  const before = await create('before')
  assert.equal(before.status, 201, before.text)

  await disk.fill()
  // Pages that have room left are written to until there are none.
  let n = 0
  const taken = new Map<string, string>()
  const step = async () => {
    const id = `full-${++n}`
    const answer = await create(id)
    if (answer.status === 201) taken.set(id, answer.body.order_no ?? '')
    return answer
  }
  await until(async () => (await step()).status !== 201, 'an order that has no room')
  const refused = await step()
  assert.deepEqual([refused.status, refused.body.error?.code], [503, 'unavailable'], refused.text)
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  await until(async () => (await ready()) === 503, 'a process that is not ready')
  const read = await call(`${florin.url}/v1/orders/${before.body.order_no}`, 'GET', { headers: shop.key })
  assert.equal(read.status, 200, read.text)
  // It stays full, also until the log of the database has no room either and PostgreSQL itself ends: this process does not.
  // That comes where orders still reach the database; most are refused before, as the journal is on the same disk.
  const enough = n + 600
  const isOver = () => n > enough || florin.output().includes('PostgreSQL ended by itself and is started again')
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      await until(async () => {
        await step()
        return isOver()
      }, 'PostgreSQL to end, or hundreds of orders to be refused')
    }),
  )
  assert.equal((await step()).status, 503)
  assert.equal(await ready(), 503)

  await disk.free()
  await until(async () => (await create('after')).status === 201, 'an order after there was room')
  await until(async () => (await ready()) === 200, 'a process that is ready')
  assert.ok(n > 20)
  assert.deepEqual(
    [...new Set(answers)].filter((status) => status !== 201 && status !== 503),
    [],
    'never a 500',
  )
  // What was answered with 201 is there, and what was refused is made by sending it again.
  for (const [id, orderNo] of taken) assert.equal((await create(id)).body.order_no, orderNo)
  for (let again = n - 20; again <= n; again++) assert.equal((await create(`full-${again}`)).status, 201)
  assert.equal(await florin.stop(), 0, 'it was the same process all the time, and it stops as ever')
})
