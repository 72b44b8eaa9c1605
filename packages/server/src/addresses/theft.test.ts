// What a thief of a console session, and of a mailbox, can do to the addresses that money goes to.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS, momentText } from '@florin/protocol'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { stopNodes } from '../../../rail-evm/src/test/world.fixture.ts'
import { liveShop, OWN, OWNER, THIEFS } from '../../test/live-shop.ts'
import { ripenAll } from './ripen-job.ts'

after(stopNodes)

const OWN2 = '0x27b1fdb04752bbc536007a920d24acb045561c26'
// BIP-86's vector.
const THIEFS_ACCOUNT =
  'tr([73c5da0a/86h/0h/0h]xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ/0/*)'
const put = (address: string, chain = 'base') => ['PUT', 'addresses', { chain, address }] as const
interface Address {
  chain: string
  address: string
  effective_at: string | null
  until_then: string | null
  is_removal: boolean
}

test('a stolen token redirects no live money: the owner has a day, a mail and one click', async (t) => {
  const shop = await liveShop(t)
  const { clock } = shop.world
  clock.advance(2 * DAY_MS)
  const thief = shop.stolen(shop.owner)
  const answer = await thief.call<Address>(...put(THIEFS))
  const effectiveAt = new Date(clock.now().getTime() + DAY_MS).toISOString()
  assert.deepEqual(
    [answer.status, answer.data.address, answer.data.effective_at, answer.data.until_then],
    [200, THIEFS, effectiveAt, OWN],
  )
  assert.equal(await shop.liveTarget(), OWN)
  assert.equal(await shop.testTarget(), THIEFS, 'test orders follow at once')

  const mail = await shop.newestMail(OWNER, /^A receiving address will be changed on \d+ \w+ \d{4} at \d\d:\d\d UTC$/)
  assert.ok(
    mail.text.includes(momentText(new Date(effectiveAt), { zone: 'UTC', locale: 'en-GB' })) &&
      mail.text.includes(OWN) &&
      mail.text.includes(THIEFS),
  )
  const [row] = (await shop.owner.call<{ data: Address[] }>('GET', 'addresses')).data.data
  assert.deepEqual([row?.effective_at, row?.until_then, row?.is_removal], [effectiveAt, OWN, false])

  // Reading alone, as mail scanners do, changes nothing.
  const { shown, done } = await shop.click(mail)
  assert.match(shown, /Put it back/)
  assert.match(done, /The session that asked for it has ended/)
  assert.equal((await thief.call('GET', 'merchant')).error?.code, 'invalid_token')
  assert.match((await shop.click(mail)).done, /not good any more/)
  clock.advance(DAY_MS + 1)
  assert.equal(await shop.liveTarget(), OWN)
  assert.equal(await shop.testTarget(), OWN)
})

slowTest('without anybody stopping it a change takes effect after its own day, whether or not a job ran', async (t) => {
  const shop = await liveShop(t)
  const { clock, deps } = shop.world
  clock.advance(HOUR_MS)
  await shop.owner.call(...put(THIEFS))
  clock.advance(12 * HOUR_MS)
  // The same value does not start a new wait; another one does.
  const same = await shop.owner.call<Address>(...put(THIEFS.toLowerCase()))
  assert.equal(Date.parse(same.data.effective_at ?? ''), clock.now().getTime() + 12 * HOUR_MS)
  const other = await shop.owner.call<Address>(...put(OWN2))
  assert.equal(Date.parse(other.data.effective_at ?? ''), clock.now().getTime() + DAY_MS)
  clock.advance(DAY_MS - 1)
  assert.equal(await shop.liveTarget(), OWN)
  clock.advance(1)
  const target = await shop.liveTarget()
  assert.equal(target.toLowerCase(), OWN2)
  assert.equal(await ripenAll(deps), 1)
  assert.equal(await ripenAll(deps), 0)
  assert.equal(await shop.liveTarget(), target)
  await shop.newestMail(OWNER, /^A change of a receiving address took effect$/)
  const history = await shop.owner.call<{ data: Address[] }>('GET', 'addresses/history')
  assert.deepEqual(
    history.data.data.map((row) => row.address),
    [target, OWN],
  )
})

test('neither taking the address away first, nor another chain, nor asking often is a way around', async (t) => {
  const shop = await liveShop(t)
  const { clock } = shop.world
  clock.advance(HOUR_MS)
  const thief = shop.stolen(shop.owner)
  const gone = await thief.call<{ effective_at: string }>('DELETE', 'addresses/base')
  assert.equal(Date.parse(gone.data.effective_at), clock.now().getTime() + DAY_MS)
  assert.equal(await shop.liveTarget(), OWN, 'the shop goes on selling')
  const [removal] = (await shop.owner.call<{ data: Address[] }>('GET', 'addresses')).data.data
  assert.deepEqual([removal?.address, removal?.is_removal], [OWN, true])
  clock.advance(20 * HOUR_MS)
  await thief.call(...put(THIEFS))
  const other = await thief.call<Address>(...put(THIEFS, 'eth'))
  assert.deepEqual([other.status, other.data.until_then], [200, null])
  const account = await thief.call<Address>(...put(THIEFS_ACCOUNT, 'btc'))
  assert.deepEqual(
    [account.status, account.data.until_then, account.data.effective_at],
    [200, null, other.data.effective_at],
  )
  clock.advance(5 * HOUR_MS)
  assert.equal(await shop.liveTarget(), OWN)
  assert.equal(await shop.liveTarget('eth'), 'receiving_address_missing')
  assert.equal(await shop.liveTarget('btc'), 'receiving_address_missing')
  // The default chain, by which orders that name none find their target, requires a fresh sign-in.
  const chain = await thief.call('PATCH', 'merchant', { default_settle_chain: 'eth' })
  assert.deepEqual([chain.status, chain.error?.code], [403, 'confirmation_required'])
  // Cancelling restores, at once, from any session of the merchant.
  assert.equal((await shop.owner.call('DELETE', 'addresses/base/waiting')).status, 200)
  assert.equal((await shop.owner.call('DELETE', 'addresses/base/waiting')).error?.code, 'change_not_found')
  assert.equal((await shop.owner.call('DELETE', 'addresses/eth')).status, 200)
  clock.advance(2 * DAY_MS)
  assert.equal(await shop.liveTarget(), OWN)
})

slowTest('a stolen mailbox signs in, and waits: only a browser known for a day counts at once', async (t) => {
  const shop = await liveShop(t)
  const { clock } = shop.world
  clock.advance(10 * DAY_MS)
  const thief = await shop.signIn()
  const waits = await thief.call<Address>(...put(THIEFS))
  assert.ok(waits.data.effective_at)
  assert.equal(await shop.liveTarget(), OWN)
  // The default chain counts at once: it chooses among addresses that count already, so the thief's waits all the same.
  await thief.call<Address>(...put(THIEFS, 'eth'))
  assert.equal((await thief.call('PATCH', 'merchant', { default_settle_chain: 'eth' })).status, 200)
  assert.equal(await shop.liveTarget('eth'), 'receiving_address_missing')
  await shop.click(await shop.newestMail(OWNER, /default settle chain/))
  assert.equal((await thief.call('GET', 'merchant')).status, 401)

  // The owner, in the browser of ten days ago, with a new sign-in: at once.
  const owner = await shop.signIn(OWNER, shop.owner.cookie)
  const now = await owner.call<Address>(...put(OWN2))
  assert.deepEqual([now.data.effective_at, now.data.until_then], [null, null])
  assert.equal((await shop.liveTarget()).toLowerCase(), OWN2)
  // The owner's fresh token in the thief's hands lacks the cookie.
  const stolen = await shop.stolen(owner).call<Address>(...put(THIEFS))
  assert.ok(stolen.data.effective_at)
  // Sent from the known browser it counts as the owner's word.
  const again = await owner.call<Address>(...put(THIEFS))
  assert.equal(again.data.effective_at, null)
})

slowTest(
  'a cookie that was planted before a sign-in → replaced, so no browser but the owner’s becomes known',
  async (t) => {
    const shop = await liveShop(t)
    const { clock } = shop.world
    const [name = '', own = ''] = shop.owner.cookie?.split('=') ?? []
    // A value that this service made, for an account of the thief.
    const elsewhere = await shop.signIn('thief@mail.example')
    const made = elsewhere.cookie?.split('=')[1] ?? ''
    for (const value of [made, 'x'.repeat(32)]) {
      const planted = `${name}=${value}`
      const owner = await shop.signIn(OWNER, planted)
      assert.match(owner.cookie ?? '', new RegExp(`^${name}=[0-9A-Za-z]{32}$`))
      assert.notEqual(owner.cookie, planted)
      clock.advance(2 * DAY_MS)
      const thief = shop.stolen(await shop.signIn(OWNER, owner.cookie), planted)
      const waits = await thief.call<Address>(...put(THIEFS))
      assert.ok(waits.data.effective_at)
      await thief.call('DELETE', 'addresses/base/waiting')
    }
    // One that a sign-in to this account set is kept.
    assert.equal((await shop.signIn(OWNER, `${name}=${own}`)).cookie, shop.owner.cookie)
  },
)

slowTest('each click goes back to before the first change of that session, whichever mail it is in', async (t) => {
  const shop = await liveShop(t)
  const { clock } = shop.world
  clock.advance(2 * DAY_MS)
  // A thief inside the owner's own browser, minutes after a sign-in: at once, and only the undo is left.
  const inside = await shop.signIn(OWNER, shop.owner.cookie)
  await inside.call('DELETE', 'addresses/base')
  await inside.call(...put(OWN2))
  await inside.call(...put(THIEFS))
  assert.equal(await shop.liveTarget(), THIEFS)
  await shop.click(await shop.newestMail(OWNER, /was changed/))
  assert.equal(await shop.liveTarget(), OWN)
  assert.equal((await inside.call('GET', 'merchant')).status, 401)
  // That browser is a stranger's again.
  const later = await shop.signIn(OWNER, shop.owner.cookie)
  assert.ok((await later.call<Address>(...put(OWN2))).data.effective_at)
})

slowTest('one click drops whatever else that session asked for, and says so', async (t) => {
  const shop = await liveShop(t)
  const { clock } = shop.world
  clock.advance(2 * DAY_MS)
  const thief = shop.stolen(shop.owner)
  for (const chain of ['eth', 'arb', 'base']) await thief.call(...put(THIEFS, chain))
  const { done } = await shop.click(await shop.newestMail(OWNER, /^A receiving address will be changed on /))
  assert.match(done, /Also dropped, asked for by the same session: .*(Ethereum|Arbitrum).*(Ethereum|Arbitrum)/)
  clock.advance(2 * DAY_MS)
  assert.equal(await shop.liveTarget(), OWN)
  assert.equal(await shop.liveTarget('eth'), 'receiving_address_missing')
})

test('before the first real payment, and for the very first address, everything counts at once', async (t) => {
  const shop = await liveShop(t, { isPaid: false })
  const { clock } = shop.world
  clock.advance(3 * DAY_MS)
  const changed = await shop.owner.call<Address>(...put(OWN2))
  assert.deepEqual([changed.status, changed.data.effective_at], [200, null])
  assert.equal((await shop.liveTarget()).toLowerCase(), OWN2)
  assert.equal((await shop.owner.call('DELETE', 'addresses/base')).data.effective_at, null)
  await shop.owner.call(...put(OWN))
  // One real payment later it does not.
  await shop.takeMoney()
  assert.ok((await shop.owner.call<Address>(...put(OWN2))).data.effective_at)
})

slowTest('a hundred harmless acts do not bury the one mail that matters', async (t) => {
  const shop = await liveShop(t)
  const { clock } = shop.world
  clock.advance(2 * HOUR_MS)
  const before = (await shop.mailsTo(OWNER)).length
  const thief = shop.stolen(shop.owner)
  for (let n = 0; n < 100; n++) {
    if (n === 60) await thief.call(...put(THIEFS))
    assert.equal((await thief.call('POST', 'appkeys', { name: `k${n}` })).status, 200)
  }
  const mails = (await shop.mailsTo(OWNER)).slice(before)
  assert.deepEqual(
    mails.filter((mail) => mail.subject.includes('receiving address')).map((mail) => mail.text.includes(THIEFS)),
    [true],
  )
  assert.equal(mails.length, 11)
  clock.advance(HOUR_MS)
  const late = (await shop.mailsTo(OWNER)).slice(before + 11)
  assert.deepEqual(
    late.map((mail) => mail.subject),
    ['90 more changes in your account'],
  )
  assert.equal(late[0]?.text.match(/\/mail\/[0-9A-Za-z]{32}/g)?.length, 90, 'each with its link')
})

slowTest('changes of many chains come in few mails, each within a minute and with its link', async (t) => {
  const shop = await liveShop(t)
  const { clock } = shop.world
  clock.advance(2 * HOUR_MS)
  const before = (await shop.mailsTo(OWNER)).length
  const chains = ['eth', 'arb', 'op', 'pol', 'bsc', 'avax']
  for (let n = 0; n < 10; n++) {
    for (const chain of chains) await shop.owner.call(...put(n % 2 === 0 ? THIEFS : OWN2, chain))
  }
  await shop.owner.call(...put(THIEFS))
  clock.advance(MINUTE_MS / 2)
  const mails = (await shop.mailsTo(OWNER)).slice(before)
  assert.equal(mails.length, 21)
  const digest = mails.find((mail) => mail.subject === '41 changes of where your money goes in your account')
  assert.ok(digest?.text.includes('Your receiving address on Base will be changed'))
})

slowTest(
  'no loop of a stolen session keeps the owner from cancelling, putting back, revoking or clicking',
  async (t) => {
    const shop = await liveShop(t, { config: { rateLimits: true } })
    const { clock } = shop.world
    clock.advance(2 * DAY_MS)
    const leaked = await shop.owner.call<{ id: string }>('POST', 'appkeys', { name: 'leaked' })
    const thief = shop.stolen(shop.owner)
    await thief.call(...put(THIEFS))
    const mail = await shop.newestMail(OWNER, /^A receiving address will be changed/)
    for (let n = 0; n < 25; n++) {
      const { data } = await thief.call<{ id: string }>('POST', 'appkeys', { name: 'k', scopes: ['orders:read'] })
      await thief.call('DELETE', `appkeys/${data.id}`)
    }
    const asked: (string | undefined)[] = []
    for (let n = 0; n < 200; n++) asked.push((await thief.call(...put(n % 2 === 0 ? OWN2 : THIEFS))).error?.code)
    assert.equal(asked.indexOf('rate_limited'), 199)

    const owner = await shop.signIn()
    assert.equal((await owner.call('DELETE', `appkeys/${leaked.data.id}`)).status, 200)
    assert.equal((await owner.call('DELETE', 'addresses/base/waiting')).status, 200)
    assert.ok((await owner.call<Address>(...put(OWN2))).data.effective_at, 'another session asks as before')
    assert.equal((await owner.call<Address>(...put(OWN))).data.effective_at, null, 'sending what stands cancels')
    assert.match((await shop.click(mail)).done, /<!doctype html>[\s\S]*The session that asked for it has ended/)
    assert.equal((await thief.call('GET', 'merchant')).error?.code, 'invalid_token')
  },
)

slowTest('neither revoked nor renamed keys push the mail about an address aside', async (t) => {
  const shop = await liveShop(t)
  const { clock } = shop.world
  const refunder = await shop.owner.call<{ id: string }>('POST', 'appkeys', { name: 'r', scopes: ['refunds:write'] })
  clock.advance(2 * DAY_MS)
  const thief = shop.stolen(shop.owner)
  for (let n = 0; n < 25; n++) {
    const { data } = await thief.call<{ id: string }>('POST', 'appkeys', { name: `k${n}`, mode: 'test' })
    await thief.call('DELETE', `appkeys/${data.id}`)
    assert.equal((await thief.call('PATCH', `appkeys/${refunder.data.id}`, { name: `r${n}` })).status, 200)
  }
  await thief.call(...put(THIEFS))
  const mail = await shop.newestMail(OWNER, /^A receiving address will be changed on \d+ \w+ \d{4} at \d\d:\d\d UTC$/)
  assert.ok(mail.text.includes(THIEFS))
})

test('where many changes come in one mail, those of where money goes are first in it and in its subject', async (t) => {
  const shop = await liveShop(t)
  const { clock } = shop.world
  clock.advance(2 * DAY_MS)
  const inside = await shop.signIn()
  const { data } = await inside.call<{ id: string }>('POST', 'appkeys', { name: 'k' })
  const rotate = async (): Promise<void> => {
    assert.equal((await inside.call('POST', `appkeys/${data.id}/rotate`, {})).status, 200)
  }
  for (let n = 0; n < 21; n++) await rotate()
  clock.advance(MINUTE_MS / 2)
  const alone = (await shop.mailsTo(OWNER)).filter((mail) => mail.subject === 'An API key was rotated')
  assert.equal(alone.length, 21, 'a digest of one is that mail')
  for (let n = 0; n < 3; n++) await rotate()
  assert.equal((await inside.call('PATCH', 'merchant', { default_settle_chain: 'eth' })).status, 200)
  clock.advance(MINUTE_MS / 2)
  const digest = await shop.newestMail(OWNER, /, and 3 more changes in your account$/)
  assert.match(digest.subject, /default settle chain/)
  assert.match(digest.text, /--- 1 of 4: [^\n]*default settle chain/)
  assert.match(digest.text, /--- 2 of 4: An API key was rotated/)
})
