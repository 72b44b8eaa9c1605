// Accounts of wallets as receiving places: read, shown back, judged before saving, refused; the rules of a change hold;
// nothing of a secret stands anywhere, and of an extended key only in one table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendDueMail } from '@florin/platform/mail/send'
import { capturedLog } from '../../../test/captured-log.ts'
import { aMerchant, type TestMerchant } from '../../../test/factories.ts'
import { type TestApp, testApp, testDeps } from '../../../test/harness.ts'
import { buildApp } from '../../app.ts'
import { accountAddresses } from './assign.ts'
import { noHistory } from './rules.ts'
import { accountUseJob } from './use.ts'

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'
const call = async (at: Pick<TestApp, 'app'>, who: TestMerchant, method: Method, path = '', body?: object) => {
  const answer = await at.app.inject({
    method,
    url: `/api/v1/boss/addresses${path}`,
    headers: who.headers,
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status: answer.statusCode, body: answer.body, ...answer.json() }
}

// BIP-84's and BIP-86's vectors.
const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const xpub86 =
  'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ'
const first = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'
const second = 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'
const taproot = `tr([73c5da0a/86h/0h/0h]${xpub86}/<0;1>/*)`
const plain = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const xprv =
  'xprvA449goEeU9okwCzzZaxiy475EQGQzBkc65su82nXEvcwzfSskb2hAt2WymrjyRL6kpbVTGL3cKtp9herYXSjjQ1j4stsXXiRF7kXkCacK3T'

test('an account is judged, set, shown by what can be compared, and replaced as an address is', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const asked = (await call(at, merchant, 'POST', '/validate', { chain: 'btc', address: zpub })).data
  assert.deepEqual([asked.valid, asked.reason, asked.asks], [false, 'address_needed', 'wallet_address'])
  assert.deepEqual(
    asked.candidates.map((one: { script_type: string; first_addresses: string[] }) => [
      one.script_type,
      one.first_addresses.slice(0, 2),
    ]),
    [['wpkh', [first, second]]],
  )
  const unproven = await call(at, merchant, 'PUT', '', { chain: 'btc', address: zpub })
  assert.deepEqual(
    [unproven.status, unproven.error.code, unproven.error.param],
    [422, 'invalid_address', 'wallet_address'],
  )
  const untyped = await call(at, merchant, 'POST', '/validate', { chain: 'btc', address: xpub86 })
  assert.deepEqual([untyped.data.asks, untyped.data.candidates.length], ['script_type', 4])

  const set = await call(at, merchant, 'PUT', '', {
    chain: 'btc',
    address: zpub,
    wallet_address: second,
    label: 'Shop',
  })
  assert.equal(set.status, 200, set.body)
  const { account } = set.data
  assert.match(set.data.address, /^acct_[0-9a-z]{26}$/)
  assert.deepEqual(
    [account.id, account.script_type, account.first_addresses.length, account.first_addresses[0], account.state],
    [set.data.address, 'wpkh', 5, first, 'examining'],
  )
  // The wallet has shown indexes 0 and 1, so the counter starts behind.
  assert.deepEqual([account.next_index, account.unpaid, account.unpaid_max, account.wallet_limit], [2, 0, 15, 20])
  assert.deepEqual((await call(at, merchant, 'GET')).data.data[0].account, account)
  // The same wallet in another notation is the same account: nothing changes.
  const again = await call(at, merchant, 'PUT', '', {
    chain: 'btc',
    address: `wpkh(${zpub}/0/*)`,
    wallet_address: first,
    label: 'Shop',
  })
  assert.deepEqual({ ...again.data, updated_at: '' }, { ...set.data, updated_at: '' })

  // By its reference it can be sent again, by who has it.
  assert.equal((await call(at, merchant, 'PUT', '', { chain: 'btc', address: set.data.address })).data.label, null)
  const foreign = await call(at, await aMerchant(at.deps), 'PUT', '', { chain: 'btc', address: set.data.address })
  assert.deepEqual([foreign.status, foreign.error.param], [422, 'address'])

  at.clock.advance(1000)
  assert.equal((await call(at, merchant, 'PUT', '', { chain: 'btc', address: taproot })).data.account.script_type, 'tr')
  at.clock.advance(1000)
  const back = await call(at, merchant, 'PUT', '', { chain: 'btc', address: plain })
  assert.deepEqual([back.data.address, back.data.account], [plain, null])
  const history = (await call(at, merchant, 'GET', '/history')).data.data
  assert.deepEqual(
    history.map(
      (row: { address: string; account: { first_addresses: string[] } | null }) =>
        row.account?.first_addresses[0]?.slice(0, 5) ?? row.address,
    ),
    [plain, 'bc1p5', 'bc1qc', 'bc1qc'],
  )
  await sendDueMail(at.deps)
  const mails = at.mailbox.mails.map(({ text }) => text).join('\n')
  assert.ok(mails.includes(`an account of a wallet (native segwit), whose first address is ${first}`))
  assert.ok(mails.includes('an account of a wallet (taproot, fingerprint 73c5da0a), whose first address is bc1p5'))
  assert.doesNotMatch(mails, /pub[1-9A-HJ-NP-Za-km-z]{20}/)
})

test('what is no account of this chain is refused with its reason, and nothing is stored', async (t) => {
  const captured = capturedLog()
  const made = await testDeps(t)
  const app = await buildApp({ ...made.deps, log: captured.log })
  t.after(() => app.close())
  const at = { ...made, app }
  const merchant = await aMerchant(at.deps)
  const cases: [object, string, RegExp][] = [
    [{ chain: 'btc', address: xprv }, 'address', /private key/],
    [{ chain: 'btc', address: `wpkh(${xprv}/0/*)` }, 'address', /private key/],
    [{ chain: 'eth', address: xprv.replace('xprv', 'yprv') }, 'address', /private key/],
    [{ chain: 'btc', address: JSON.stringify({ keystore: { xpub: zpub, seed: 'legal winner' } }) }, 'address', /seed/],
    [{ chain: 'btc', address: `wsh(multi(1,${xpub86}/0/*))` }, 'address', /several keys/],
    [{ chain: 'btc', address: `${zpub.slice(0, -1)}t` }, 'address', /checksum/],
    [{ chain: 'ltc', address: taproot }, 'address', /of Bitcoin, not of Litecoin/],
    [{ chain: 'doge', address: zpub }, 'address', /Bitcoin and Litecoin only/],
    [{ chain: 'eth', address: zpub }, 'address', /Bitcoin and Litecoin only/],
    [{ chain: 'btc', address: xpub86 }, 'script_type', /which type/],
    [{ chain: 'btc', address: xpub86, script_type: 'tr' }, 'wallet_address', /look alike/],
    [{ chain: 'btc', address: zpub, wallet_address: plain }, 'wallet_address', /not among the first 100/],
    [{ chain: 'btc', address: plain, wallet_address: plain }, 'address', /extended public key/],
    [{ chain: 'btc', address: zpub, script_type: 'p2wpkh' }, 'script_type', /script_type/],
    [{ chain: 'eth', address: `0x${'1'.repeat(40)}`, label: `Ltpv${xprv.slice(4)}` }, 'label', /private key/],
  ]
  const answers: string[] = []
  for (const [body, param, message] of cases) {
    const answer = await call(at, merchant, 'PUT', '', body)
    answers.push(answer.body, (await call(at, merchant, 'POST', '/validate', { ...body, label: undefined })).body)
    assert.deepEqual([answer.status, answer.error.param], [422, param], answer.body)
    assert.match(answer.error.message, message)
  }
  const [stored] = await at.deps.sql<{ count: number }[]>`
    select ((select count(*) from receiving_accounts) + (select count(*) from receiving_addresses) + (select count(*) from audit_log))::int as count`
  assert.equal(stored?.count, 0)
  await call(at, merchant, 'PUT', '', { chain: 'btc', address: taproot })
  const everything = [...answers, captured.text()].join('\n')
  for (const secret of [xprv.slice(10), zpub.slice(10), xpub86.slice(10), 'legal winner'])
    assert.ok(!everything.includes(secret))
  // An extended key shows every payment of a wallet: it stands in the one table that needs it.
  const elsewhere = await at.deps.sql<{ text: string }[]>`
    select a::text as text from audit_log a union all select h::text from receiving_address_history h
    union all select r::text from receiving_addresses r union all select m::text from mail_outbox m union all select l::text from mail_links l`
  assert.ok(elsewhere.length >= 4)
  for (const { text } of elsewhere) assert.ok(!text.includes(xpub86.slice(10)), text)
})

test('a merchant says of an account what is its own: limit, start and depth', async (t) => {
  const at = await testApp(t)
  const owner = await aMerchant(at.deps)
  const set = await call(at, owner, 'PUT', '', { chain: 'btc', address: taproot })
  const limit = (who: TestMerchant, wallet_limit: number, chain = 'btc') =>
    call(at, who, 'PUT', `/${chain}/wallet-limit`, { wallet_limit })
  const raised = await limit(owner, 100)
  assert.deepEqual(
    [raised.data.account.wallet_limit, raised.data.account.unpaid_max, raised.data.warnings],
    [100, 95, []],
  )
  assert.deepEqual(raised.data.account.by_payers_max, 47)
  const same = await limit(owner, 100)
  assert.deepEqual(codes(same), ['nothing_changed'])
  assert.equal((await limit(owner, 100, 'ltc')).error.code, 'address_not_found')
  assert.equal((await limit(owner, 5)).error.param, 'wallet_limit')
  assert.equal((await limit(owner, 100_000)).status, 422)
  const [seen] = await at.deps.sql<{ action: string }[]>`select action from audit_log order by id desc limit 1`
  assert.equal(seen?.action, 'receiving_account.limit')

  const used = (who: TestMerchant, body: object) => call(at, who, 'PUT', '/btc/used', body)
  assert.deepEqual([set.data.account.use.known, set.data.account.use.asks], ['reading', true])
  for (const [wrong, param] of [
    [{ next_address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }, 'next_address'],
    [{ last_used_address: 'nonsense' }, 'last_used_address'],
    [{}, undefined],
    [{ never_used: true, next_index: 3 }, undefined],
    [{ next_index: -1 }, 'next_index'],
  ] as const) {
    const refused = await used(owner, wrong)
    assert.deepEqual([refused.status, refused.error.code], [422, 'validation_failed'], refused.body)
    if (param !== undefined) assert.equal(refused.error.param, param)
  }
  const said = (await used(owner, { last_used_address: set.data.account.first_addresses[3] })).data.account
  assert.deepEqual([said.state, said.next_index, said.unpaid, said.use.known], ['ready', 4, 0, 'said'])
  assert.deepEqual([said.use.told_by, said.use.asks], [['merchant'], false])
  assert.equal((await used(owner, { next_index: 2 })).data.account.next_index, 2)

  const depth = (who: TestMerchant, confirmations: object[] | null) =>
    call(at, who, 'PUT', '/btc/confirmations', { confirmations })
  const tiers = [
    { below_usd: 500, blocks: 2 },
    { below_usd: null, blocks: 6 },
  ]
  assert.equal(set.data.account.confirmations, null)
  assert.deepEqual((await depth(owner, tiers)).data.account.confirmations, tiers)
  for (const wrong of [
    [],
    [{ below_usd: 500, blocks: 2 }],
    [
      { below_usd: 500, blocks: 3 },
      { below_usd: null, blocks: 2 },
    ],
    [
      { below_usd: null, blocks: 2 },
      { below_usd: null, blocks: 3 },
    ],
    [
      { below_usd: 500, blocks: 1 },
      { below_usd: 500, blocks: 2 },
      { below_usd: null, blocks: 3 },
    ],
    [
      { below_usd: 0.5, blocks: 1 },
      { below_usd: null, blocks: 101 },
    ],
  ]) {
    const refused = await depth(owner, wrong)
    assert.deepEqual([refused.status, refused.error.code], [422, 'validation_failed'], refused.body)
  }
  const claim = { merchantId: owner.id, chain: 'btc', livemode: true, receivingAddress: set.data.address }
  await accountUseJob({ ...at.deps, accountHistory: noHistory }).run(AbortSignal.any([]))
  const claimed = await accountAddresses(at.deps.sql).claim({
    ...{ ...claim, orderRef: 'a', legRef: 'a.1', now: at.clock.now() },
  })
  assert.deepEqual(claimed?.depths, [
    { belowMicros: 500_000_000n, blocks: 2 },
    { belowMicros: null, blocks: 6 },
  ])
  assert.equal((await depth(owner, null)).data.account.confirmations, null)
  // None of it from an old sign-in.
  at.clock.advance(1_000_000)
  for (const old of [await limit(owner, 500), await used(owner, { never_used: true }), await depth(owner, tiers)])
    assert.equal(old.error.code, 'confirmation_required')
})

test('each other start is mailed and taken back with one click; without it the last word counts', async (t) => {
  const at = await testApp(t)
  const owner = await aMerchant(at.deps)
  const { address: id } = (await call(at, owner, 'PUT', '', { chain: 'btc', address: taproot })).data
  const used = (body: object) => call(at, owner, 'PUT', '/btc/used', body)
  const addresses = accountAddresses(at.deps.sql)
  const claim = async (orderRef: string) => {
    const order = { merchantId: owner.id, orderRef, legRef: orderRef, now: at.clock.now() }
    return (await addresses.claim({ ...order, chain: 'btc', livemode: true, receivingAddress: id }))?.index
  }
  const jumps = async () => {
    await sendDueMail(at.deps)
    return at.mailbox.mails.filter(({ subject }) => /orders get other addresses/.test(subject))
  }
  assert.equal((await used({ next_index: 20 })).data.account.next_index, 20)
  assert.equal((await jumps()).length, 1)
  assert.equal((await used({ next_index: 40 })).data.account.next_index, 40)
  assert.equal((await jumps()).length, 2)
  await used({ never_used: true })
  assert.equal(await claim('a'), 0n)
  assert.equal((await used({ next_index: 1_000_000 })).data.account.next_index, 1_000_000)
  const jump = (await jumps()).at(-1)
  assert.match(jump?.text ?? '', /index 1000000 of your account[\s\S]*Before, it was index 1\./)
  assert.equal(await claim('b'), 1_000_000n)
  assert.deepEqual(codes(await used({ next_index: 1_000_000 })), ['nothing_changed'])

  // Back without the link: what was given out stays so, one by one.
  const back = await used({ next_index: 0 })
  assert.deepEqual([codes(back), back.data.account.next_index], [['indexes_passed_over'], 1])
  assert.equal(await claim('c'), 1n)
  // A limit that was raised first hides no start.
  const known = (await jumps()).length
  const limit = (walletLimit: number) => call(at, owner, 'PUT', '/btc/wallet-limit', { wallet_limit: walletLimit })
  await limit(10_000)
  assert.equal((await used({ next_index: 9_000 })).data.account.next_index, 9_000)
  assert.equal((await jumps()).length, known + 1)
  await limit(20)
  await used({ next_index: 12 })
  assert.equal(await claim('step'), 12n)
  await used({ next_index: 30 })
  assert.equal((await jumps()).length, known + 3)
  await used({ next_index: 700 })
  await used({ next_index: 1 })
  await used({ next_index: 700 })
  await used({ next_index: 900 })
  const linkAt = async (n: number) => (await jumps()).at(n)?.text.match(/\/mail\/\S+/)?.[0] ?? assert.fail('no link')
  const [link, last] = [await linkAt(0), await linkAt(-1)]
  const click = async (url: string) => (await at.app.inject({ method: 'POST', url, headers: form, payload: '' })).body
  assert.match(await click(link), /next order on Bitcoin gets index 2\.[\s\S]*session that asked for it has ended/)
  assert.match(await click(link), /not good any more/)
  assert.match(await click(last), /nothing of that change is left/, 'each goes back to before the first')
  await assert.rejects(claim('d'), /still being compared/, 'nothing is said of used addresses, as at first')
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const codes = ({ data }: { data: { warnings: { code: string }[] } }) => data.warnings.map(({ code }) => code)
