// What differs between the chains whose wallets share extended keys: version bytes, address bytes, coin types. Pure data.

export const accountChains = ['btc', 'ltc', 'doge', 'bch', 'dash'] as const
export type AccountChain = (typeof accountChains)[number]
/** Test networks hold no money; `regtest` is a chain on one machine. */
export type Network = 'main' | 'test' | 'regtest'
export const scriptTypes = ['wpkh', 'sh-wpkh', 'pkh', 'tr'] as const
/** How an output of the account is locked, in the words of descriptors. */
export type ScriptType = (typeof scriptTypes)[number]

interface AddressBytes {
  readonly keyHash: number
  readonly scriptHash: number
  /** The prefix of segwit addresses, or of cashaddr where the chain has that. */
  readonly prefix: string | null
}

interface ChainBytes {
  readonly name: string
  /** Of SLIP-44: the second step of an account's path. */
  readonly coinType: number
  readonly scripts: readonly ScriptType[]
  readonly cashaddr: boolean
  readonly networks: Readonly<Record<Network, AddressBytes>>
}

const bytes = (keyHash: number, scriptHash: number, prefix: string | null = null): AddressBytes => ({
  keyHash,
  scriptHash,
  prefix,
})

export const chainBytes: Readonly<Record<AccountChain, ChainBytes>> = {
  btc: {
    name: 'Bitcoin',
    coinType: 0,
    scripts: scriptTypes,
    cashaddr: false,
    networks: { main: bytes(0x00, 0x05, 'bc'), test: bytes(0x6f, 0xc4, 'tb'), regtest: bytes(0x6f, 0xc4, 'bcrt') },
  },
  ltc: {
    name: 'Litecoin',
    coinType: 2,
    scripts: scriptTypes,
    cashaddr: false,
    networks: { main: bytes(0x30, 0x32, 'ltc'), test: bytes(0x6f, 0x3a, 'tltc'), regtest: bytes(0x6f, 0x3a, 'rltc') },
  },
  doge: {
    name: 'Dogecoin',
    coinType: 3,
    scripts: ['pkh'],
    cashaddr: false,
    networks: { main: bytes(0x1e, 0x16), test: bytes(0x71, 0xc4), regtest: bytes(0x6f, 0xc4) },
  },
  bch: {
    name: 'Bitcoin Cash',
    coinType: 145,
    scripts: ['pkh'],
    cashaddr: true,
    networks: {
      main: bytes(0x00, 0x05, 'bitcoincash'),
      test: bytes(0x6f, 0xc4, 'bchtest'),
      regtest: bytes(0x6f, 0xc4, 'bchreg'),
    },
  },
  dash: {
    name: 'Dash',
    coinType: 5,
    scripts: ['pkh'],
    cashaddr: false,
    networks: { main: bytes(0x4c, 0x10), test: bytes(0x8c, 0x13), regtest: bytes(0x8c, 0x13) },
  },
}

export const isAccountChain = (chain: string): chain is AccountChain =>
  (accountChains as readonly string[]).includes(chain)

/** Which wallets use a version: some serve one chain only, most are shared, so they say nothing of the chain. */
export interface KeyVersion {
  readonly name: string
  readonly chains: readonly AccountChain[]
  readonly isTest: boolean
  /** null: the prefix does not say. Ledger exports `xpub` for accounts of every type. */
  readonly script: ScriptType | null
  /** One key of several that must sign together. */
  readonly isMultisig?: true
}

const segwit = ['btc', 'ltc'] as const

/** SLIP-132 and what wallets use besides; the four bytes in hexadecimal. */
export const publicVersions: Readonly<Record<string, KeyVersion>> = {
  '0488b21e': { name: 'xpub', chains: accountChains, isTest: false, script: null },
  '049d7cb2': { name: 'ypub', chains: segwit, isTest: false, script: 'sh-wpkh' },
  '04b24746': { name: 'zpub', chains: segwit, isTest: false, script: 'wpkh' },
  '0295b43f': { name: 'Ypub', chains: segwit, isTest: false, script: null, isMultisig: true },
  '02aa7ed3': { name: 'Zpub', chains: segwit, isTest: false, script: null, isMultisig: true },
  '019da462': { name: 'Ltub', chains: ['ltc'], isTest: false, script: null },
  '01b26ef6': { name: 'Mtub', chains: ['ltc'], isTest: false, script: 'sh-wpkh' },
  '02facafd': { name: 'dgub', chains: ['doge'], isTest: false, script: 'pkh' },
  '02fe52cc': { name: 'drkp', chains: ['dash'], isTest: false, script: 'pkh' },
  '043587cf': { name: 'tpub', chains: accountChains, isTest: true, script: null },
  '044a5262': { name: 'upub', chains: segwit, isTest: true, script: 'sh-wpkh' },
  '045f1cf6': { name: 'vpub', chains: segwit, isTest: true, script: 'wpkh' },
  '0436f6e1': { name: 'ttub', chains: ['ltc'], isTest: true, script: null },
  '024289ef': { name: 'Upub', chains: segwit, isTest: true, script: null, isMultisig: true },
  '02575483': { name: 'Vpub', chains: segwit, isTest: true, script: null, isMultisig: true },
}

/** The private counterparts, by name, so that they are refused by name. */
export const privateVersions: Readonly<Record<string, string>> = {
  '0488ade4': 'xprv',
  '049d7878': 'yprv',
  '04b2430c': 'zprv',
  '0295b005': 'Yprv',
  '02aa7a99': 'Zprv',
  '04358394': 'tprv',
  '044a4e28': 'uprv',
  '045f18bc': 'vprv',
  '024285b5': 'Uprv',
  '02575048': 'Vprv',
  '019d9cfe': 'Ltpv',
  '01b26792': 'Mtpv',
  '0436ef7d': 'ttpv',
  '02fac398': 'dgpv',
  '02fe52f8': 'drkv',
}
