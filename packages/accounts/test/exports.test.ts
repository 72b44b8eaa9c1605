// What the common wallets give out, each in the shape of its own export, with the keys of the twelve words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountHints, firstAddresses, parseAccount } from '../src/index.ts'
import { fingerprint, key, withVersionByte } from './wallet.ts'

const first = {
  pkh: '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA',
  'sh-wpkh': '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf',
  wpkh: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  tr: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
}
const ltc = {
  pkh: 'LUWPbpM43E2p7ZSh8cyTBEkvpHmr3cB8Ez',
  'sh-wpkh': 'M7wtsL7wSHDBJVMWWhtQfTMSYYkyooAAXM',
  wpkh: 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
}
const account = { pkh: "m/44'/0'/0'", 'sh-wpkh': "m/49'/0'/0'", wpkh: "m/84'/0'/0'", tr: "m/86'/0'/0'" }
type Script = keyof typeof account
const read = (text: string | object, hints: Partial<AccountHints> = {}) =>
  parseAccount(typeof text === 'string' ? text : JSON.stringify(text, null, 2), { chain: 'btc', ...hints })
const reads = (text: string | object, script: Script, hints: Partial<AccountHints> = {}): void => {
  const verdict = read(text, hints)
  assert.ok(verdict.ok, !verdict.ok ? `${verdict.reason}: ${verdict.message}` : '')
  assert.deepEqual([verdict.account.script, firstAddresses(verdict.account)[0]], [script, first[script]])
}
const asks = (text: string | object, reason: string, hints: Partial<AccountHints> = {}): readonly string[] => {
  const verdict = read(text, hints)
  assert.ok(!verdict.ok)
  assert.equal(verdict.reason, reason, verdict.message)
  return verdict.candidates.map(({ script }) => script)
}

test('Electrum: the key, and the wallet file with what it appends', () => {
  asks(key(account.wpkh, 'zpub'), 'address_needed')
  reads(key(account.wpkh, 'zpub'), 'wpkh', { walletAddress: first.wpkh })
  const keystore = {
    type: 'bip32',
    xpub: key(account.wpkh, 'zpub'),
    xprv: null,
    derivation: account.wpkh,
    root_fingerprint: fingerprint,
  }
  const file = JSON.stringify({ keystore, wallet_type: 'standard', seed_version: 60, use_encryption: false })
  reads(file, 'wpkh')
  reads(`${file},\n{"op": "add", "path": "/labels", "value": "}"}\n`, 'wpkh')
  // Its own seeds have their account one step below the top.
  const own = { xpub: key("m/0'", 'zpub'), derivation: "m/0'", root_fingerprint: fingerprint }
  assert.deepEqual(asks({ keystore: own, wallet_type: 'standard' }, 'address_needed'), ['wpkh'])
  assert.equal(asks({ 'x1/': { xpub: 'x' }, wallet_type: '2of3' }, 'multisig').length, 0)
})

test('Ledger Live: xpub for every type, so the type is asked for or found', () => {
  for (const script of ['pkh', 'sh-wpkh', 'wpkh', 'tr'] as const) {
    assert.deepEqual(asks(key(account[script]), 'script_needed'), ['wpkh', 'sh-wpkh', 'pkh', 'tr'])
    asks(key(account[script]), 'address_needed', { script })
    reads(key(account[script]), script, { walletAddress: first[script] })
    reads(key(account[script]), script, { walletAddress: first[script], script })
  }
  // The type that was chosen and the wallet's address must agree.
  asks(key(account.wpkh), 'address_not_found', { script: 'pkh', walletAddress: first.wpkh })
  const log = {
    id: `js:2:bitcoin:${key(account.wpkh)}:native_segwit`,
    derivationMode: 'native_segwit',
    xpub: key(account.wpkh),
  }
  asks(log, 'address_needed')
  reads(log, 'wpkh', { walletAddress: first.wpkh })
})

test('Trezor Suite: prefix by type, taproot as a descriptor', () => {
  reads(key(account['sh-wpkh'], 'ypub'), 'sh-wpkh', { walletAddress: first['sh-wpkh'] })
  reads(`tr([${fingerprint}/86'/0'/0']${key(account.tr)}/<0;1>/*)`, 'tr')
})

test('Sparrow: three descriptors, the receiving one counts', () => {
  const one = (branch: string): string => `wpkh([${fingerprint}/84h/0h/0h]${key(account.wpkh)}/${branch}/*)`
  reads(
    `# Receive and change descriptor (BIP389):\n${one('<0;1>')}\n\n# Receive descriptor (Bitcoin Core):\n${one('0')}\n\n# Change descriptor (Bitcoin Core):\n${one('1')}\n`,
    'wpkh',
  )
})

test('Coldcard: three types with their first addresses, the type is asked for', () => {
  const entry = (script: Script) => ({
    xfp: 'AAAAAAAA',
    deriv: account[script],
    xpub: key(account[script]),
    first: first[script],
  })
  const file = {
    chain: 'BTC',
    xfp: fingerprint.toUpperCase(),
    account: 0,
    xpub: key('m'),
    bip44: entry('pkh'),
    bip49: entry('sh-wpkh'),
    bip84: entry('wpkh'),
  }
  assert.deepEqual(asks(file, 'script_needed').toSorted(), ['pkh', 'sh-wpkh', 'wpkh'])
  reads(file, 'wpkh', { script: 'wpkh' })
  reads(file, 'pkh', { walletAddress: first.pkh })
  const swapped = { ...file, bip84: { ...entry('wpkh'), first: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g' } }
  asks({ bip84: swapped.bip84, xfp: fingerprint }, 'contradiction')
  // Its Electrum-style file.
  reads(
    {
      keystore: { xpub: key(account.wpkh, 'zpub'), ckcc_xpub: key('m'), derivation: account.wpkh, hw_type: 'coldcard' },
      wallet_type: 'standard',
    },
    'wpkh',
  )
})

test('Specter, BSMS, Wasabi, Keystone, a node, Jade, Exodus', () => {
  const descriptor = `wpkh([${fingerprint}/84h/0h/0h]${key(account.wpkh)}/0/*)`
  reads({ label: 'Shop', blockheight: 700000, descriptor }, 'wpkh')
  const bsms = `BSMS 1.0\nwpkh([${fingerprint}/84'/0'/0']${key(account.wpkh)}/**)\n/0/*,/1/*\n`
  reads(`${bsms}${first.wpkh}`, 'wpkh')
  asks(`${bsms}bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g`, 'contradiction')
  const wasabi = {
    ExtPubKey: key(account.wpkh),
    TaprootExtPubKey: key(account.tr),
    MasterFingerprint: fingerprint,
    AccountKeyPath: "84'/0'/0'",
    TaprootAccountKeyPath: "86'/0'/0'",
  }
  assert.deepEqual(asks({ ...wasabi, EncryptedSecret: null }, 'script_needed').toSorted(), ['tr', 'wpkh'])
  reads(wasabi, 'tr', { script: 'tr' })
  reads(
    { ExtPubKey: key(account.wpkh), MasterFingerprint: fingerprint.toUpperCase(), AccountKeyPath: "84'/0'/0'" },
    'wpkh',
  )
  const of = (script: Script, branch: number) => ({
    desc: `${script}([${fingerprint}${account[script].slice(1)}]${key(account[script])}/${branch}/*)`,
    active: true,
    internal: branch === 1,
  })
  reads({ wallet_name: 'w', descriptors: [of('wpkh', 0), of('wpkh', 1)] }, 'wpkh')
  assert.deepEqual(asks({ wallet_name: 'w', descriptors: [of('wpkh', 0), of('pkh', 0)] }, 'script_needed'), [
    'wpkh',
    'pkh',
  ])
  reads(`[${fingerprint}/84'/0'/0']${key(account.wpkh, 'zpub')}`, 'wpkh')
  reads(`${key(account.wpkh)} ${key(account.wpkh, 'zpub')}`, 'wpkh', { walletAddress: first.wpkh })
})

test('the counter of the wallet is read where its file has one', () => {
  const next = (file: object, hints: Partial<AccountHints> = {}): number | null => {
    const verdict = read(file, hints)
    assert.ok(verdict.ok, !verdict.ok ? verdict.message : '')
    return verdict.nextIndex
  }
  const desc = `wpkh([${fingerprint}/84h/0h/0h]${key(account.wpkh)}/0/*)`
  const node = (more: object) => ({ wallet_name: 'w', descriptors: [{ desc, active: true, internal: false, ...more }] })
  assert.deepEqual([next(node({ next_index: 57, next: 57 })), next(node({ next: 5 })), next(node({}))], [57, 5, null])
  assert.deepEqual([next(node({ next_index: -1 })), next(node({ next_index: 1e12 }))], [null, null])
  const keystore = { xpub: key(account.wpkh, 'zpub'), derivation: account.wpkh, root_fingerprint: fingerprint }
  const electrum = {
    ...{ keystore, wallet_type: 'standard', addresses: { receiving: ['a', 'b', 'c', 'd'], change: ['x'] } },
    addr_history: { a: [], b: [['00', 1]], c: [['00', 1]], d: [], x: [['00', 1]] },
  }
  assert.equal(next(electrum), 3)
  assert.equal(next({ ...electrum, addr_history: {} }), 0)
  const wasabi = {
    ...{ ExtPubKey: key(account.wpkh), MasterFingerprint: fingerprint, AccountKeyPath: "84'/0'/0'" },
    HdPubKeys: [
      { FullKeyPath: "84'/0'/0'/0/11", KeyState: 2 },
      { FullKeyPath: "84'/0'/0'/0/12", KeyState: 0 },
      { FullKeyPath: "84'/0'/0'/1/90", KeyState: 2 },
    ],
  }
  assert.equal(next(wasabi), 12)
  assert.equal(next({ label: 'Shop', descriptor: desc, address_index: 8 }), 8)
})

test('Litecoin: prefixes of its own say the chain, Bitcoin’s do not', () => {
  const hints = { chain: 'ltc' } as const
  const of = { pkh: "m/44'/2'/0'", 'sh-wpkh': "m/49'/2'/0'", wpkh: "m/84'/2'/0'" }
  for (const script of ['pkh', 'sh-wpkh', 'wpkh'] as const) {
    const verdict = read(key(of[script], 'Ltub'), { ...hints, script })
    assert.ok(verdict.ok)
    assert.equal(firstAddresses(verdict.account)[0], ltc[script])
  }
  assert.ok(read(key(of['sh-wpkh'], 'Mtub'), hints).ok)
  asks(key(of.wpkh, 'zpub'), 'address_needed', hints)
  assert.ok(read(key(of.wpkh, 'zpub'), { ...hints, walletAddress: ltc.wpkh }).ok)
  // The old form of a Litecoin address is one of Bitcoin too, so it proves nothing.
  const old = withVersionByte(ltc['sh-wpkh'], 5)
  asks(key(of['sh-wpkh'], 'ypub'), 'address_needed', { ...hints, walletAddress: old })
  asks(key(account.wpkh, 'Ltub'), 'wrong_network')
  asks(`wpkh([${fingerprint}/84h/0h/0h]${key(account.wpkh)}/0/*)`, 'wrong_network', hints)
})

test('Dogecoin, Bitcoin Cash and Dash have one type, so none is asked for', () => {
  const cases = [
    ['doge', "m/44'/3'/0'", 'dgub', 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC'],
    ['dash', "m/44'/5'/0'", 'drkp', 'XoJA8qE3N2Y3jMLEtZ3vcN42qseZ8LvFf5'],
    ['bch', "m/44'/145'/0'", 'xpub', 'bitcoincash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnq5tahq3q6'],
  ] as const
  for (const [chain, path, prefix, address] of cases) {
    const verdict = read(key(path, prefix), { chain, walletAddress: chain === 'bch' ? address : null })
    assert.ok(verdict.ok, !verdict.ok ? verdict.message : '')
    assert.equal(firstAddresses(verdict.account)[0], address)
    asks(key(account.wpkh, 'zpub'), 'wrong_network', { chain })
  }
})
