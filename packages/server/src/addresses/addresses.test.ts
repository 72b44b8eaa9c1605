import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendDueMail } from '@florin/platform/mail/send'
import { capturedLog } from '../../test/captured-log.ts'
import { aMerchant, anApiKey, type TestMerchant } from '../../test/factories.ts'
import { type TestApp, testApp, testDeps } from '../../test/harness.ts'
import { warmed } from '../../test/warm.ts'
import { buildApp } from '../app.ts'
import { findChainAddress, listChainAddresses } from './store.ts'
import { addressesFor } from './waiting.ts'

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'
const call = (at: Pick<TestApp, 'app'>, who: TestMerchant, method: Method, path = '', body?: object) =>
  at.app.inject({
    method,
    url: `/api/v1/boss/addresses${path}`,
    headers: who.headers,
    ...(body === undefined ? {} : { payload: body }),
  })
const put = (at: Pick<TestApp, 'app'>, who: TestMerchant, body: object) => call(at, who, 'PUT', '', body)

// Vectors of EIP-55, BIP-173 and the XRP Ledger's documentation.
const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const evm2 = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const btc = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

const told = async (at: TestApp): Promise<{ history: number; audit: number; mails: number }> => {
  const [row] = await at.deps.sql<{ history: number; audit: number; mails: number }[]>`
    select (select count(*)::int from receiving_address_history) as history,
           (select count(*)::int from audit_log) as audit, (select count(*)::int from mail_outbox) as mails`
  return row ?? assert.fail('no row')
}

test('an address is set in canonical form, listed, changed, removed; each change is kept, audited and mailed', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const answer = await put(at, merchant, { chain: 'Ethereum', address: evm.toLowerCase(), label: ' Cold wallet ' })
  assert.equal(answer.statusCode, 200)
  const { warnings, ...shown } = answer.json().data
  assert.deepEqual(shown, {
    chain: 'eth',
    family: 'evm',
    address: evm,
    label: 'Cold wallet',
    updated_at: at.clock.now().toISOString(),
    effective_at: null,
    until_then: null,
    is_default: true,
    is_removal: false,
    account: null,
    until_then_account: null,
  })
  // What was sent had no checksum; what is stored has.
  assert.deepEqual(
    warnings.map((warning: { code: string }) => warning.code),
    ['no_checksum'],
  )
  assert.deepEqual((await call(at, merchant, 'GET')).json().data.data, [{ ...shown, warnings: [] }])
  at.clock.advance(1000)
  const changed = (await put(at, merchant, { chain: 'eip155:1', address: evm2 })).json().data
  assert.deepEqual([changed.address, changed.label], [evm2, null])
  at.clock.advance(1000)
  await put(at, merchant, { chain: 'btc', address: btc.toUpperCase(), label: null })
  const list = (await call(at, merchant, 'GET')).json().data
  assert.deepEqual(
    list.data.map((row: { chain: string; address: string }) => [row.chain, row.address]),
    [
      ['btc', btc],
      ['eth', evm2],
    ],
  )
  assert.deepEqual([list.has_more, list.next_cursor], [false, null])
  at.clock.advance(1000)
  assert.deepEqual((await call(at, merchant, 'DELETE', '/ethereum')).json(), {
    code: 0,
    data: { chain: 'eth', effective_at: null },
  })
  assert.equal((await findChainAddress(at.deps.sql, merchant.id, 'eth')).address, null)

  const history = (await call(at, merchant, 'GET', '/history')).json().data.data
  assert.deepEqual(
    history.map((row: Record<string, unknown>) => [row.chain, row.address, row.label, row.changed_by]),
    [
      ['eth', null, null, merchant.email],
      ['btc', btc, null, merchant.email],
      ['eth', evm2, null, merchant.email],
      ['eth', evm, 'Cold wallet', merchant.email],
    ],
  )
  const audit = await at.deps.sql<{ action: string; subject: string; actor: string; detail: object }[]>`
    select action, subject, actor, detail from audit_log order by id desc limit 1`
  assert.deepEqual(audit[0], {
    action: 'receiving_address.removed',
    subject: 'eth',
    actor: merchant.email,
    detail: { from: evm2, to: null, label: null },
  })
  await sendDueMail(at.deps)
  const subjects = at.mailbox.mails.map((mail) => mail.subject).sort()
  assert.deepEqual(subjects, [
    'A receiving address was changed',
    'A receiving address was removed',
    'A receiving address was set',
    'A receiving address was set',
  ])
  const change = at.mailbox.mails.find((mail) => mail.subject.endsWith('changed'))
  assert.ok(change?.to === merchant.email && change.text.includes(`Before:\n${evm}\n\nNow:\n${evm2}\n`))
})

test('sending the same address again, in any spelling, changes nothing and tells nobody', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const first = await put(at, merchant, { chain: 'eth', address: evm })
  const before = await told(at)
  at.clock.advance(5000)
  const again = await put(at, merchant, { chain: 'ethereum', address: evm.toLowerCase() })
  assert.deepEqual({ ...again.json().data, warnings: [] }, first.json().data)
  assert.deepEqual((await put(at, merchant, { chain: 'eth', address: evm })).json(), first.json())
  assert.deepEqual(await told(at), before)
  // Another label is a change.
  await put(at, merchant, { chain: 'eth', address: evm, label: 'x' })
  assert.deepEqual(await told(at), { history: 2, audit: 3, mails: 2 })
})

test('of changes at the same time each is kept once, and the newest of the history is what stands', async (t) => {
  const at = await testApp(t)
  await warmed(at.deps.sql)
  const merchant = await aMerchant(at.deps)
  const addresses = [evm, evm2]
  const puts = Array.from({ length: 12 }, (_, n) =>
    put(at, merchant, { chain: 'eth', address: addresses[n % 2] ?? '' }),
  )
  for (const answer of await Promise.all(puts)) assert.equal(answer.statusCode, 200)
  const now = await findChainAddress(at.deps.sql, merchant.id, 'eth')
  const rows = await at.deps.sql<{ address: string }[]>`select address from receiving_address_history`
  // A change follows only on another address, so both occur in turn.
  const counts = addresses.map((address) => rows.filter((row) => row.address === address).length)
  assert.ok(Math.abs((counts[0] ?? 0) - (counts[1] ?? 0)) <= 1, String(counts))
  assert.ok(now.address !== null && addresses.includes(now.address))
  const { history, audit, mails } = await told(at)
  // One more: the only address became the default.
  assert.deepEqual([audit, mails], [history + 1, history])
  const removals = await Promise.all(Array.from({ length: 5 }, () => call(at, merchant, 'DELETE', '/eth')))
  assert.deepEqual(removals.map((answer) => answer.statusCode).sort(), [200, 404, 404, 404, 404])
})

test('a refused address says what is wrong and changes nothing', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const flipped = evm.replace('5aA', '5AA')
  const cases: [object, string, string, RegExp | null][] = [
    [{ chain: 'eth', address: flipped }, 'invalid_address', 'address', /checksum/],
    [{ chain: 'eth', address: btc }, 'invalid_address', 'address', /valid address on Bitcoin but not on Ethereum/],
    [{ chain: 'btc', address: evm }, 'invalid_address', 'address', /not on Bitcoin/],
    [{ chain: 'eth', address: `${evm} ` }, 'invalid_address', 'address', /white space/],
    [{ chain: 'eth', address: '' }, 'invalid_address', 'address', null],
    [{ chain: 'eth', address: `0x${'0'.repeat(40)}` }, 'invalid_address', 'address', null],
    [{ chain: 'eth', address: 'vitalik.eth' }, 'invalid_address', 'address', /name/],
    [{ chain: 'eth', address: '0x'.padEnd(60_000, 'a') }, 'invalid_address', 'address', /512/],
    [{ chain: 'btc', address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }, 'invalid_address', 'address', /test/i],
    [{ chain: 'nochain', address: evm }, 'unknown_chain', 'chain', /lists them/],
    [{ chain: '', address: evm }, 'unknown_chain', 'chain', null],
    [{ chain: ' eth', address: evm }, 'unknown_chain', 'chain', null],
    [{ address: evm }, 'missing_field', 'chain', null],
    [{ chain: 'eth' }, 'missing_field', 'address', null],
    [{ chain: 'eth', address: 5 }, 'validation_failed', 'address', null],
    [{ chain: 'eth', address: null }, 'validation_failed', 'address', null],
    [{ chain: 'eth', address: evm, label: 'x'.repeat(101) }, 'validation_failed', 'label', null],
    [{ chain: 'eth', address: evm, label: 'a\nb' }, 'validation_failed', 'label', null],
    [{ chain: 'eth', address: evm, label: 7 }, 'validation_failed', 'label', null],
    [{ chain: 'eth', address: evm, memo: '1' }, 'unknown_field', 'memo', null],
  ]
  for (const [body, code, param, message] of cases) {
    const answer = await put(at, merchant, body)
    const { error } = answer.json()
    const seen = [answer.statusCode, error.code, error.param]
    assert.deepEqual(seen, [422, code, param], JSON.stringify(body).slice(0, 100))
    if (message) assert.match(error.message, message)
  }
  assert.deepEqual(await told(at), { history: 0, audit: 0, mails: 0 })
})

test("addresses of another merchant are neither shown nor removed, and nobody's without a token", async (t) => {
  const at = await testApp(t)
  const owner = await aMerchant(at.deps)
  const stranger = await aMerchant(at.deps)
  await put(at, owner, { chain: 'eth', address: evm })
  assert.deepEqual((await call(at, stranger, 'GET')).json().data.data, [])
  assert.deepEqual((await call(at, stranger, 'GET', '/history')).json().data.data, [])
  const foreign = await call(at, stranger, 'DELETE', '/eth')
  const missing = await call(at, stranger, 'DELETE', '/btc')
  assert.deepEqual([foreign.statusCode, foreign.json().error.code], [404, 'address_not_found'])
  assert.deepEqual({ ...missing.json().error, request_id: '' }, { ...foreign.json().error, request_id: '' })
  assert.equal((await call(at, stranger, 'DELETE', '/nochain')).json().error.code, 'unknown_chain')
  assert.equal((await findChainAddress(at.deps.sql, owner.id, 'eth')).address, evm)
  const key = await anApiKey(at.deps, owner)
  for (const [method, path] of [
    ['PUT', ''],
    ['GET', ''],
    ['GET', '/history'],
    ['POST', '/validate'],
    ['DELETE', '/eth'],
  ] as const) {
    for (const headers of [{}, key.headers]) {
      const answer = await at.app.inject({ method, url: `/api/v1/boss/addresses${path}`, headers })
      assert.deepEqual([answer.statusCode, answer.json().error.code], [401, 'invalid_token'])
    }
  }
})

test('validating tells good from bad alike with 200, and writes nothing', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const judge = async (chain: string, address: string) =>
    (await call(at, merchant, 'POST', '/validate', { chain, address })).json()
  assert.deepEqual(await judge('Ethereum', evm), {
    code: 0,
    data: {
      ...{ valid: true, chain: 'eth', family: 'evm', address: evm, reason: null, looks_like: [], warnings: [] },
      ...{ account: null, asks: null, candidates: [], message: null },
    },
  })
  const wrongTab = (await judge('eth', btc)).data
  assert.deepEqual([wrongTab.valid, wrongTab.address, wrongTab.looks_like.includes('btc')], [false, null, true])
  assert.equal((await judge('btc', `${btc}x`)).data.reason, 'bad_checksum')
  assert.equal((await judge('sol', '2DRxyJDsDccGL6mb8PLMsKQTCU3C7xUq8aprz53VcW4k')).data.warnings.length > 0, true)
  assert.equal((await judge('sol', 'So11111111111111111111111111111111111111112')).data.reason, 'not_payable')
  assert.equal((await judge('nochain', evm)).error.code, 'unknown_chain')
  assert.deepEqual(await told(at), { history: 0, audit: 0, mails: 0 })
})

test('the history is paged and can be narrowed to a chain', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  for (const address of [evm, evm2, evm]) {
    at.clock.advance(1)
    await put(at, merchant, { chain: 'base', address })
  }
  await put(at, merchant, { chain: 'btc', address: btc })
  const first = (await call(at, merchant, 'GET', '/history?limit=2&chain=base')).json().data
  assert.deepEqual([first.data.length, first.has_more], [2, true])
  const rest = (await call(at, merchant, 'GET', `/history?limit=2&chain=base&cursor=${first.next_cursor}`)).json().data
  assert.deepEqual(
    [...first.data, ...rest.data].map((row: { address: string }) => row.address),
    [evm, evm2, evm],
  )
  for (const [query, code, param] of [
    ['chain=nochain', 'unknown_chain', 'chain'],
    ['limit=0', 'validation_failed', 'limit'],
    ['sort=asc', 'unknown_field', 'sort'],
  ]) {
    const { error } = (await call(at, merchant, 'GET', `/history?${query}`)).json()
    assert.deepEqual([error.code, error.param], [code, param])
  }
})

test('orders find the addresses and the default among them', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  await put(at, merchant, { chain: 'eth', address: evm })
  await put(at, merchant, { chain: 'base', address: evm2 })
  const url = '/api/v1/boss/merchant'
  const payload = { default_settle_chain: 'base' }
  await at.app.inject({ method: 'PATCH', url, headers: merchant.headers, payload })
  const all = await listChainAddresses(at.deps.sql, merchant.id)
  const rows = addressesFor(all, { livemode: true, now: at.clock.now() })
  assert.deepEqual(
    rows.map((row) => [row.chain, row.address, row.isDefault]),
    [
      ['base', evm2, true],
      ['eth', evm, false],
    ],
  )
})

test('a secret pasted as an address, chain or label is refused and neither echoed, logged nor stored', async (t) => {
  const made = await testDeps(t)
  const captured = capturedLog()
  const app = await buildApp({ ...made.deps, log: captured.log })
  t.after(() => app.close())
  const at = { ...made, app }
  const merchant = await aMerchant(at.deps)
  // Made up for this test; the first is the well-known example key of the Bitcoin wiki's WIF page.
  const secrets = [
    '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ',
    `0x${'4c0883a69102937d6231471b5dbb6204fe512961708279f3e27d8e4ad1b3d9ef'}`,
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  ]
  const answers: string[] = []
  for (const secret of secrets) {
    for (const chain of ['btc', 'eth', 'near', 'xrp']) {
      const refused = await put(at, merchant, { chain, address: secret })
      // 64 hexadecimal digits are an ordinary address where accounts are named so.
      if (!(chain === 'near' && /^0x/.test(secret))) assert.equal(refused.statusCode, 422, `${chain} ${secret}`)
      answers.push(refused.body, (await call(at, merchant, 'POST', '/validate', { chain, address: secret })).body)
    }
    answers.push((await put(at, merchant, { chain: secret, address: evm })).body)
    const asLabel = await put(at, merchant, { chain: 'eth', address: evm, label: secret })
    assert.deepEqual([asLabel.statusCode, asLabel.json().error.param], [422, 'label'])
    answers.push(asLabel.body)
    answers.push((await call(at, merchant, 'DELETE', `/${encodeURIComponent(secret)}`)).body)
    answers.push((await call(at, merchant, 'GET', `/history?chain=${encodeURIComponent(secret)}`)).body)
  }
  await sendDueMail({ ...at.deps, log: captured.log })
  const stored = await at.deps.sql<{ text: string }[]>`
    select a::text as text from audit_log a union all select h::text from receiving_address_history h
    union all select r::text from receiving_addresses r`
  const everything = [...answers, captured.text(), ...stored.map((row) => row.text)].join('\n')
  for (const secret of secrets) assert.equal(everything.includes(secret.slice(4, 30)), false, secret)
})

test('the only address is the default, a second one changes nothing by itself', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const defaults = async (chain: string, address: string) => {
    await put(at, merchant, { chain, address })
    const reply = await at.app.inject({ url: '/api/v1/boss/addresses', headers: merchant.headers })
    const rows: { chain: string; is_default: boolean }[] = reply.json().data.data
    return rows.filter((row) => row.is_default).map((row) => row.chain)
  }
  assert.deepEqual(await defaults('base', evm), ['base'])
  assert.deepEqual(await defaults('eth', evm), ['base'])
  assert.deepEqual(await defaults('btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'), ['base'])
})
