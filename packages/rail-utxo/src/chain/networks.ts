// What the rules of Bitcoin's and Litecoin's networks say: genesis, addresses, work, dust. Pure.
import { bitsOfDifficulty, type WorkRules } from './work.ts'

export type NetworkName = 'main' | 'regtest'

export interface Network {
  name: NetworkName
  chain: 'btc' | 'ltc'
  /** Hash of the first block: tells a node of another network. */
  genesis: string
  bech32: string
  pubkeyHash: number
  scriptHash: number
  work: WorkRules
  /**
   * On a network without a node of one's own, no header that claims less work than this is believed: it is far below what
   * the network does, and far above what a liar can mine. null: a test network.
   */
  floorBits: number | null
  /** Blocks until money that came out of Litecoin's extension block can be spent. */
  pegOutMaturity: number | null
  /** A block every so many seconds. */
  spacingS: number
  /** What nodes relay where their operator set nothing else, in the smallest unit for 1,000 virtual bytes. */
  relay: {
    /** A transaction that pays less is refused. */
    least: bigint
    /** An output that is worth less than spending it at this rate is refused. */
    dust: bigint
  }
}

/**
 * The least that nodes relay as one output. Bitcoin: 546, 540, 294 and 330 for the types pkh, sh, wpkh, and wsh or tr; Litecoin: 5,460, 5,400, 2,940
 * and 3,300.
 * @param script in hexadecimal
 */
export function dustOf({ relay }: Pick<Network, 'relay'>, script: string): bigint {
  const bytes = BigInt(script.length / 2)
  const isWitness = /^(00|5[1-9a-f]|60)(14|20)/.test(script)
  return ((8n + 1n + bytes + (isWitness ? SPENT_WITNESS : SPENT)) * relay.dust) / 1_000n
}

/** Virtual bytes of an input that spends it, as nodes reckon. */
const SPENT = 148n
const SPENT_WITNESS = 67n

const REGTEST_BITS = 0x207fffff
const FORTNIGHT_S = 14 * 24 * 3600

const bitcoin = {
  chain: 'btc' as const,
  pegOutMaturity: null,
  spacingS: 600,
  relay: { least: 1_000n, dust: 3_000n },
}
const litecoin = {
  chain: 'ltc' as const,
  pegOutMaturity: 6,
  spacingS: 150,
  relay: { least: 1_000n, dust: 30_000n },
}

const networks: readonly Network[] = [
  {
    ...bitcoin,
    name: 'main',
    genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    bech32: 'bc',
    pubkeyHash: 0x00,
    scriptHash: 0x05,
    work: {
      algorithm: 'sha256d',
      limitBits: 0x1d00ffff,
      retarget: { blocks: 2016, spanS: FORTNIGHT_S, reach: 2016 },
    },
    floorBits: bitsOfDifficulty(20_000_000_000_000n),
  },
  {
    ...bitcoin,
    name: 'regtest',
    genesis: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    bech32: 'bcrt',
    pubkeyHash: 0x6f,
    scriptHash: 0xc4,
    work: { algorithm: 'sha256d', limitBits: REGTEST_BITS, retarget: null },
    floorBits: null,
  },
  {
    ...litecoin,
    name: 'main',
    genesis: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
    bech32: 'ltc',
    pubkeyHash: 0x30,
    scriptHash: 0x32,
    work: {
      algorithm: 'scrypt',
      limitBits: 0x1e0fffff,
      retarget: { blocks: 2016, spanS: FORTNIGHT_S / 4, reach: 2017 },
    },
    floorBits: bitsOfDifficulty(5_000_000n),
  },
  {
    ...litecoin,
    name: 'regtest',
    genesis: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
    bech32: 'rltc',
    pubkeyHash: 0x6f,
    scriptHash: 0x3a,
    work: { algorithm: 'scrypt', limitBits: REGTEST_BITS, retarget: null },
    floorBits: null,
  },
]

export function networkOf(chain: string, name: NetworkName): Network | null {
  return networks.find((network) => network.chain === chain && network.name === name) ?? null
}

export const utxoChainIds: readonly string[] = ['btc', 'ltc']
