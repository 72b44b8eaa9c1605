// Where the contracts will live and with which code, worked out before anything is sent. The same configuration gives the
// same addresses on every EVM chain, because the deterministic deployer has the same address on each.
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeDeployData,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  padHex,
  zeroHash,
} from 'viem'
import { depositVaultRuntime } from '../abi/deposit-vault.ts'
import { feeVaultAbi, feeVaultBytecode, feeVaultRuntime } from '../abi/fee-vault.ts'
import { payFactoryAbi, payFactoryBytecode, payFactoryRuntime } from '../abi/pay-factory.ts'

/** A contract without a key or an owner: it deploys the code it is sent by CREATE2 under the salt before it. */
export const DETERMINISTIC_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** Who holds the keys from the start. Any difference, also on one chain only, gives other addresses. */
export interface DeployConfig {
  /** Names keys, behind a 48 h timelock. A multisig where money is real. */
  owner: Address
  /** Keys that may settle. */
  relayers: readonly Address[]
  /** Keys that may refund. Leave empty until refunds are wanted. */
  refunders: readonly Address[]
  /** Keys that may veto and pause refunds. */
  guardians: readonly Address[]
  /** Withdraws fees. The owner where left out. */
  feeOwner?: Address
  /** 32 bytes; another salt gives other addresses. Zero where left out. */
  salt?: Hex
}

export interface PlannedContract {
  address: Address
  /** keccak-256 of the code on the chain, immutables filled in. */
  codeHash: Hex
}

export interface DeployPlan {
  deployer: Address
  /** `data` is what to send to the deployer. */
  factory: PlannedContract & { data: Hex }
  feeVault: PlannedContract & { data: Hex }
  /** The vault code behind every deposit address; the factory's constructor makes it. */
  impl: PlannedContract
}

/**
 * Addresses, code hashes and deployment data for a configuration. Pure; the order and case of the keys do not matter.
 *
 * @throws viem's InvalidAddressError for what is not an address.
 * @example deployPlan({ owner, relayers: [relayer], refunders: [], guardians: [guardian] }).factory.address
 */
export function deployPlan(config: DeployConfig): DeployPlan {
  const salt = config.salt ?? zeroHash
  const keys = (given: readonly Address[]): Address[] => [...new Set(given.map(lower))].sort()
  const factoryCode = encodeDeployData({
    abi: payFactoryAbi,
    bytecode: payFactoryBytecode,
    args: [config.owner, keys(config.relayers), keys(config.refunders), keys(config.guardians)],
  })
  const feeVaultCode = encodeDeployData({
    abi: feeVaultAbi,
    bytecode: feeVaultBytecode,
    args: [config.feeOwner ?? config.owner],
  })
  const place = (bytecode: Hex) => getCreate2Address({ from: DETERMINISTIC_DEPLOYER, salt, bytecode })
  const factory = place(factoryCode)
  // A contract's first creation has nonce 1.
  const impl = getContractAddress({ from: factory, nonce: 1n })
  return {
    deployer: DETERMINISTIC_DEPLOYER,
    factory: {
      address: factory,
      codeHash: hashWith(payFactoryRuntime, { IMPL: impl }),
      data: concatHex([salt, factoryCode]),
    },
    feeVault: {
      address: place(feeVaultCode),
      codeHash: hashWith(feeVaultRuntime, {}),
      data: concatHex([salt, feeVaultCode]),
    },
    impl: { address: impl, codeHash: hashWith(depositVaultRuntime, { FACTORY: factory }) },
  }
}

/** keccak-256 of the code a vault has once it was used: the ERC-1167 clone of `impl`. Before, the address has no code. */
export function vaultCodeHash(impl: Address): Hex {
  return keccak256(concatHex(['0x363d3d373d3d3d363d73', lower(impl), '0x5af43d82803e903d91602b57fd5bf3']))
}

interface Runtime {
  code: Hex
  immutables: Record<string, readonly number[]>
}

function hashWith(runtime: Runtime, values: Record<string, Address>): Hex {
  let code = runtime.code
  for (const [name, places] of Object.entries(runtime.immutables)) {
    const value = values[name]
    if (!value) throw new Error(`the immutable ${name} has no value`)
    const word = padHex(lower(value), { size: 32 }).slice(2)
    for (const place of places) {
      const at = 2 + place * 2
      code = `0x${code.slice(2, at)}${word}${code.slice(at + word.length)}`
    }
  }
  return keccak256(code)
}

/** Encoding checks that it is an address; the last 20 bytes of the word are its lower-case form. */
function lower(address: Address): Address {
  return `0x${encodeAbiParameters([{ type: 'address' }], [address]).slice(26)}`
}
