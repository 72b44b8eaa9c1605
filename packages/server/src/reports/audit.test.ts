import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditItem } from '@florin/protocol'
import { testConsole } from '../../test/console.ts'

interface Page {
  data: AuditItem[]
  has_more: boolean
  next_cursor: string | null
}

test('the audit log shows who did what, newest first, to its merchant alone', async (t) => {
  const at = await testConsole(t)
  const stranger = await at.another()
  at.clock.advance(1000)
  const made = await at.post<{ id: string; api_key: string; webhook_secret: string }>('appkeys', { name: 'second' })
  const first = (await at.get<Page>('audit?limit=1')).data
  assert.equal(first.has_more, true)
  const [item] = first.data
  assert.equal(item?.actor, at.merchant.email)
  assert.equal(item?.action, 'api_key.created')
  assert.equal(item?.subject, made.data.id)
  assert.equal(item?.created_at, at.clock.now().toISOString())
  assert.doesNotMatch(JSON.stringify(first), new RegExp(`${made.data.api_key}|${made.data.webhook_secret}`))
  const rest = (await at.get<Page>(`audit?cursor=${first.next_cursor}`)).data
  assert.deepEqual([rest.data.length, rest.has_more], [1, false])
  assert.equal(rest.data[0]?.subject, at.key.id)
  assert.deepEqual(
    (await stranger.get<Page>('audit')).data.data.map((row) => row.subject),
    [stranger.key.id],
  )
})

test('bad queries and missing tokens are refused', async (t) => {
  const at = await testConsole(t)
  for (const [query, code] of [
    ['limit=101', 'validation_failed'],
    ['cursor=zzz', 'malformed_cursor'],
    ['actor=me', 'unknown_field'],
  ]) {
    assert.equal((await at.get(`audit?${query}`)).error?.code, code)
  }
  assert.equal((await at.app.inject('/api/v1/boss/audit')).statusCode, 401)
})
