// One owner an account: the second merchant is refused in words that say nothing of the first, in every form of the same wallet; a
// signature by a key of it takes it over, once, and nothing else does.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import { withTx } from '@florin/platform/db/tx'
import { sendDueMail } from '@florin/platform/mail/send'
import { isAccountRef } from '@florin/rail-kit/account-ref'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { quickTest as test } from '../../../../../scripts/sizes.ts'
import { aMerchant, type TestMerchant } from '../../../test/factories.ts'
import { type TestApp, testApp } from '../../../test/harness.ts'
import { giveByOperator } from '../take-over.ts'
import { fillLookAhead } from './assign.ts'
import { findWallet } from './find-wallet.ts'

// The twelve words of BIP-84.
const top = HDKey.fromMasterSeed(
  hex.decode(
    '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
  ),
)
const ACCOUNT = "m/84'/0'/0'"
const xpub = (path: string): string => top.derive(path).publicExtendedKey
const chainAt = (step: number): HDKey => top.derive(`${ACCOUNT}/${step}`)
/** A chain below the account, said to be the account of another wallet. */
function hidden(step: number): string {
  const { publicKey, chainCode } = chainAt(step)
  assert.ok(publicKey !== null && chainCode !== null)
  return new HDKey({ publicKey, chainCode, depth: 3, index: 0x80000000, parentFingerprint: 1 }).publicExtendedKey
}
const descriptor = `wpkh([73c5da0a/84h/0h/0h]${xpub(ACCOUNT)}/0/*)`
const first = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'
const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const plain = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

function sign(path: string, text: string, title = 'Bitcoin Signed Message:\n'): string {
  const sized = (one: string) => Buffer.concat([Buffer.from([Buffer.byteLength(one)]), Buffer.from(one)])
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
  const signature = secp256k1.sign(
    sha(sha(Buffer.concat([sized(title), sized(text)]))),
    top.derive(path).privateKey ?? assert.fail(),
  )
  return Buffer.from([31 + signature.recovery, ...signature.toCompactRawBytes()]).toString('base64')
}

interface Answer {
  status: number
  body: string
  data: { address: string; effective_at: string | null; warnings: { code: string }[] }
  error: { code: string; param: string; message: string }
}

const put = async (at: Pick<TestApp, 'app'>, who: TestMerchant, body: object): Promise<Answer> => {
  const payload = { chain: 'btc', ...body }
  const answer = await at.app.inject({ method: 'PUT', url: '/api/v1/boss/addresses', headers: who.headers, payload })
  return { status: answer.statusCode, body: answer.body, ...answer.json() }
}
const addressesOf = async (at: Pick<TestApp, 'app'>, who: TestMerchant): Promise<string[]> => {
  const answer = await at.app.inject({ method: 'GET', url: '/api/v1/boss/addresses', headers: who.headers })
  return answer.json().data.data.map((row: { address: string }) => row.address)
}
const lineOf = ({ error }: Answer): string =>
  /\bhttps?:\S+: mer_.* code [0-9a-f]{16}$/.exec(error.message)?.[0] ?? assert.fail(error.message)

async function twoShops(t: TestContext) {
  const at = await testApp(t)
  const [ann, bob] = [await aMerchant(at.deps), await aMerchant(at.deps)]
  const mailsTo = async (who: TestMerchant) => {
    await sendDueMail(at.deps)
    return at.mailbox.mails.filter(({ to }) => `${to}` === who.email).map(({ subject, text }) => `${subject}\n${text}`)
  }
  const audit = async (who: TestMerchant) =>
    (
      await at.deps.sql<{ action: string }[]>`select action from audit_log where merchant_id = ${who.id} order by id`
    ).map((row) => row.action)
  return { at, ann, bob, mailsTo, audit }
}

test('the second merchant is refused in every form of the wallet, in words that say nothing of the first', async (t) => {
  const { at, ann, bob, mailsTo } = await twoShops(t)
  const set = await put(at, ann, { address: descriptor })
  assert.equal(set.status, 200, set.body)
  await fillLookAhead(at.deps.sql)
  const forms: object[] = [
    { address: descriptor },
    { address: zpub, wallet_address: first },
    { address: `wpkh(${zpub}/0/*)`, wallet_address: first },
    { address: xpub(ACCOUNT), script_type: 'wpkh', wallet_address: first },
    // Other addresses of the same keys.
    { address: `sh(wpkh([73c5da0a/84h/0h/0h]${xpub(ACCOUNT)}/0/*))` },
    { address: `pkh([73c5da0a/84h/0h/0h]${xpub(ACCOUNT)}/0/*)` },
    // Beside, below, and hidden as another wallet's account.
    { address: `wpkh([73c5da0a/84h/0h/0h]${xpub(ACCOUNT)}/7/*)` },
    { address: `wpkh([73c5da0a/84h/0h/0h/0]${chainAt(0).publicExtendedKey}/*)` },
    { address: `wpkh([deadbeef/84h/0h/0h]${hidden(0)}/*)` },
    { address: `wpkh([deadbeef/84h/0h/0h]${hidden(1)}/*)` },
    // A single address of it.
    { address: first },
    { address: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g' },
  ]
  for (const form of forms) {
    const refused = await put(at, bob, form)
    assert.deepEqual(
      [refused.status, refused.error.code, refused.error.param],
      [409, 'wallet_in_use', 'address'],
      JSON.stringify(form),
    )
    assert.match(refused.error.message, /in use by another account of this service/)
    for (const told of [ann.id, ann.email]) assert.ok(!refused.body.includes(told), refused.body)
  }
  assert.deepEqual(await addressesOf(at, bob), [])
  const stored = await at.deps.sql`select 1 from receiving_accounts where merchant_id = ${bob.id}`
  assert.equal(stored.length, 0, 'a refusal leaves nothing behind')
  assert.ok((await mailsTo(ann)).every((text) => !text.includes('another account')))
  // Another account of the same seed, and another address, are other wallets.
  assert.equal((await put(at, bob, { address: `wpkh([73c5da0a/84h/0h/1h]${xpub("m/84'/0'/1'")}/0/*)` })).status, 200)
  assert.equal((await put(at, bob, { address: plain })).status, 200)
  // Its owner sets it in other forms as before.
  assert.equal((await put(at, ann, { address: zpub, wallet_address: first })).status, 200)
  assert.equal((await put(at, ann, { address: first })).status, 200)
})

test('an account in which another merchant has a single address is refused, whichever came first', async (t) => {
  const { at, ann, bob, mailsTo, audit } = await twoShops(t)
  assert.equal((await put(at, bob, { address: first })).status, 200)
  const refused = await put(at, ann, { address: descriptor })
  assert.deepEqual([refused.status, refused.error.code], [409, 'wallet_in_use'])
  const signature = sign(`${ACCOUNT}/0/3`, lineOf(refused))
  const taken = await put(at, ann, { address: descriptor, signature })
  assert.equal(taken.status, 200, taken.body)
  assert.deepEqual([await addressesOf(at, bob), (await addressesOf(at, ann)).length], [[], 1])
  assert.ok((await audit(bob)).includes('receiving_account.lost'))
  assert.match((await mailsTo(bob)).at(-1) ?? '', /belongs to another account now/)
  // The address may be paid for the other's orders yet: no order is given it.
  const [row] = await at.deps.sql<{ seen: boolean }[]>`
    select seen_at is not null as seen from account_addresses where account_id = ${taken.data.address} and index = 0`
  assert.equal(row?.seen, true)
})

test('a signature by a key of the account takes it over, for one merchant and until it changes hands again', async (t) => {
  const { at, ann, bob, mailsTo, audit } = await twoShops(t)
  const { address: id } = (await put(at, bob, { address: descriptor })).data
  assert.equal(
    (
      await at.app.inject({
        method: 'PUT',
        url: '/api/v1/boss/addresses/btc/wallet-limit',
        headers: bob.headers,
        payload: { wallet_limit: 500 },
      })
    ).statusCode,
    200,
  )
  const refused = await put(at, ann, { address: descriptor })
  const line = lineOf(refused)
  assert.ok(line.includes(id) && line.includes(ann.id) && !line.includes(bob.id))
  const bobsLine = line.replace(ann.id, bob.id)
  const wrong: [string, string][] = [
    ['nonsense', 'x'],
    ['another text', sign(`${ACCOUNT}/0/0`, 'I am the owner')],
    ['another merchant’s text', sign(`${ACCOUNT}/0/0`, bobsLine)],
    [
      'another code',
      sign(
        `${ACCOUNT}/0/0`,
        line.replace(/[0-9a-f]$/, (digit) => (digit === '0' ? '1' : '0')),
      ),
    ],
    ['another coin', sign(`${ACCOUNT}/0/0`, line, 'Litecoin Signed Message:\n')],
    ['a key above', sign("m/84'/0'", line)],
    ['a sibling account', sign("m/84'/0'/1'/0/0", line)],
    ['a chain that is not the account’s', sign(`${ACCOUNT}/7/0`, line)],
  ]
  for (const [what, signature] of wrong) {
    const answer = await put(at, ann, { address: descriptor, signature })
    assert.deepEqual([answer.status, answer.error?.param], [422, 'signature'], what)
  }
  assert.deepEqual([await addressesOf(at, bob), await addressesOf(at, ann)], [[id], []])
  const signature = sign(`${ACCOUNT}/0/0`, line)
  const taken = await put(at, ann, { address: zpub, wallet_address: first, signature })
  assert.equal(taken.status, 200, taken.body)
  assert.deepEqual([await addressesOf(at, bob), await addressesOf(at, ann)], [[], [id]])
  const [row] = await at.deps.sql<
    { limit: number }[]
  >`select wallet_limit as limit from receiving_accounts where id = ${id}`
  assert.equal(row?.limit, 20, 'nothing that the other said holds')
  assert.deepEqual(
    [(await audit(bob)).at(-1), (await audit(ann)).includes('receiving_account.taken_over')],
    ['receiving_account.lost', true],
  )
  const [lost, got] = [(await mailsTo(bob)).at(-1) ?? '', (await mailsTo(ann)).at(-1) ?? '']
  assert.match(lost, /belongs to another account now[\s\S]*Orders that have an address/)
  assert.match(got, /You took it over with a signature/)
  for (const told of [ann.id, ann.email]) assert.ok(!lost.includes(told))
  for (const told of [bob.id, bob.email]) assert.ok(!got.includes(told))
  // Bob has the keys as well, and takes it back; Ann's signature is used up, and so is Bob's after her next.
  const back = await put(at, bob, { address: descriptor })
  assert.equal(back.status, 409)
  assert.equal((await put(at, bob, { address: descriptor, signature })).error.param, 'signature', 'hers is not his')
  const his = sign(`${ACCOUNT}/1/0`, lineOf(back))
  assert.equal((await put(at, bob, { address: descriptor, signature: his })).status, 200)
  const replayed = await put(at, ann, { address: descriptor, signature })
  assert.deepEqual([replayed.status, replayed.error.param], [422, 'signature'])
  assert.deepEqual(await addressesOf(at, bob), [id])
})

test('whoever has a key below takes nothing that stands above it, and a parent that is only named proves nothing', async (t) => {
  const { at, ann, bob } = await twoShops(t)
  assert.equal((await put(at, ann, { address: descriptor })).status, 200)
  // Bob was given the private key of the chain of change.
  const below = { address: `wpkh([deadbeef/84h/0h/0h]${hidden(1)}/*)` }
  const refused = await put(at, bob, below)
  assert.equal(refused.error.code, 'wallet_in_use')
  const signed = await put(at, bob, { ...below, signature: sign(`${ACCOUNT}/1/0`, lineOf(refused)) })
  assert.deepEqual([signed.status, signed.error.code], [409, 'wallet_in_use'])
  assert.match(signed.error.message, /stands above this one/)
  assert.equal((await addressesOf(at, ann)).length, 1)
  // A key of his own that says to be a child of hers overlaps with nothing, and takes nothing.
  const stranger = top.derive("m/99'/5'")
  const claiming = Object.assign(stranger, {
    depth: 4,
    index: 0,
    parentFingerprint: top.derive(ACCOUNT).fingerprint,
  }).publicExtendedKey
  const own = await put(at, bob, { address: `wpkh([0a0b0c0d/84h/0h/0h/0]${claiming}/*)` })
  assert.equal(own.status, 200, own.body)
  assert.equal((await addressesOf(at, ann)).length, 1)
})

test('of merchants that set one wallet at the same moment, whatever its form, one gets it', async (t) => {
  const { at } = await twoShops(t)
  const forms = [
    { address: descriptor },
    { address: `wpkh([73c5da0a/84h/0h/0h]${xpub(ACCOUNT)}/7/*)` },
    { address: first },
    { address: zpub, wallet_address: first },
    { address: `sh(wpkh([73c5da0a/84h/0h/0h]${xpub(ACCOUNT)}/0/*))` },
  ]
  const shops = await Promise.all(forms.map(() => aMerchant(at.deps)))
  const answers = await Promise.all(shops.map((shop, n) => put(at, shop, forms[n] ?? {})))
  const states = answers.map(({ status }) => status)
  // The single address lies in the first and the fourth.
  const accounts = states.flatMap((status, n) => (n !== 2 && status === 200 ? [n] : []))
  assert.ok(
    states.every((status) => status === 200 || status === 409),
    states.join(),
  )
  assert.equal(accounts.length, 1, states.join())
  if (states[2] === 200) assert.ok(accounts[0] === 1 || accounts[0] === 4, states.join())
})

test('the operator gives an account to another merchant, who sets it as a new address', async (t) => {
  const { at, ann, bob, mailsTo, audit } = await twoShops(t)
  const { address: id } = (await put(at, bob, { address: descriptor })).data
  assert.ok(isAccountRef(id))
  // Found by what the refused merchant has: its id, or any text of the wallet.
  for (const text of [id, descriptor, zpub, `wpkh([73c5da0a/84h/0h/0h]${xpub(ACCOUNT)}/7/*)`])
    assert.deepEqual(
      (await findWallet(at.deps.sql, text))?.map((row) => row.id),
      [id],
      text,
    )
  assert.deepEqual(await findWallet(at.deps.sql, `wpkh([73c5da0a/84h/0h/1h]${xpub("m/84'/0'/1'")}/0/*)`), [])
  assert.equal(await findWallet(at.deps.sql, plain), null)
  const give = () =>
    withTx(at.deps.sql, (tx) => giveByOperator(at.deps, tx, { id, merchantId: ann.id, now: at.clock.now() }))
  assert.deepEqual([await give(), await give()], [true, false])
  assert.deepEqual([await addressesOf(at, bob), await addressesOf(at, ann)], [[], []])
  assert.deepEqual(
    [(await audit(bob)).at(-1), (await audit(ann)).at(-1)],
    ['receiving_account.lost', 'receiving_account.taken_over'],
  )
  assert.match((await mailsTo(bob)).at(-1) ?? '', /belongs to another account now/)
  assert.match((await mailsTo(ann)).at(-1) ?? '', /is yours to set/)
  assert.equal((await put(at, ann, { address: descriptor })).status, 200)
  assert.equal((await put(at, bob, { address: descriptor })).error.code, 'wallet_in_use')
  // Nor by its name, which he knows, nor by the link in a mail of his.
  assert.equal((await put(at, bob, { address: id })).status, 422)
})
