// What an audit is of: the very sources, compiler, settings and bytecode, and one hash over all of them.
//   npm run freeze -w @florin/contracts              prints it
//   npm run freeze -w @florin/contracts -- --write   writes audit/frozen.json
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, keccak256, toHex } from 'viem'
import {
  depositVaultBytecode,
  depositVaultRuntime,
  feeVaultBytecode,
  feeVaultRuntime,
  payFactoryBytecode,
  payFactoryRuntime,
} from '../../src/index.ts'
import { packageRoot } from '../compile.ts'
import { compilerVersion, readImport, settingsOf } from '../solidity.ts'
import { analyse, ourSources } from './tree.ts'

interface Frozen {
  /** keccak-256 of everything below, as JSON without spaces. */
  hash: Hex
  compiler: string
  settings: unknown
  /** keccak-256 of each file's text, those of OpenZeppelin included. */
  sources: Record<string, Hex>
  contracts: Record<string, { creation: Hex; runtime: Hex; bytes: number }>
  /** Slots of storage by contract; the vault has none. */
  storage: Record<string, Record<string, string>>
}

/** keccak-256 of creation code and of the code on the chain with zeros for the immutables. */
const CONTRACTS = {
  PayFactory: { creation: payFactoryBytecode, runtime: payFactoryRuntime },
  DepositVault: { creation: depositVaultBytecode, runtime: depositVaultRuntime },
  FeeVault: { creation: feeVaultBytecode, runtime: feeVaultRuntime },
}

/** The text of audit/frozen.json for the sources and the bytecode as they are. */
export function renderFrozen(): string {
  const own = ourSources()
  const output = analyse(own)
  const textOf = (path: string) => own[path] ?? readImport(path)
  const storageOf = (name: string): Record<string, string> => {
    const layout = output.contracts[`src/${name}.sol`]?.[name]?.storageLayout.storage ?? []
    return Object.fromEntries(layout.map(({ slot, label, type }) => [label, `slot ${slot}, ${plain(type)}`]))
  }
  const names = Object.keys(CONTRACTS)
  const content: Omit<Frozen, 'hash'> = {
    compiler: compilerVersion(),
    settings: settingsOf('deployed'),
    sources: Object.fromEntries(
      Object.keys(output.sources)
        .sort()
        .map((path) => [path, keccak256(toHex(textOf(path)))]),
    ),
    contracts: Object.fromEntries(
      Object.entries(CONTRACTS).map(([name, { creation, runtime }]) => [
        name,
        { creation: keccak256(creation), runtime: runtime.hash, bytes: (runtime.code.length - 2) / 2 },
      ]),
    ),
    storage: Object.fromEntries(names.map((name) => [name, storageOf(name)])),
  }
  const hash = keccak256(toHex(JSON.stringify(content)))
  return `${JSON.stringify({ hash, ...content }, null, 2)}\n`
}

/** The compiler numbers types by its syntax tree, which changes with every comment. */
const plain = (type: string): string => type.replaceAll(/\)\d+/g, ')')

if (import.meta.main) {
  const text = renderFrozen()
  if (process.argv.includes('--write')) writeFileSync(join(packageRoot, 'audit/frozen.json'), text)
  console.log(text.trimEnd())
}
