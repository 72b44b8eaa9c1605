// Runs the Solidity compiler with the one set of settings everything here is built with. The settings are part of the
// deployed addresses: changing any of them changes the bytecode and so where the contracts live on every chain.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Abi, type Hex, keccak256 } from 'viem'

const require = createRequire(import.meta.url)

/** One compiled contract. `runtime.code` has zeros where the constructor writes the immutables. */
export interface Compiled {
  abi: Abi
  bytecode: Hex
  runtime: { code: Hex; hash: Hex; immutables: Record<string, number[]> }
}

/** What a contract is compiled for: see `compileSolidity`. */
export type Purpose = 'deployed' | 'tokens' | 'draft'

/** A node of the syntax tree. Which fields it has depends on its type. */
export interface AstNode {
  id?: number
  name?: string
  nodeType?: string
  nodes?: AstNode[]
  [field: string]: unknown
}
/** The compiler's answer, as far as it is asked for. */
export interface SolcOutput {
  errors?: { severity: string; errorCode?: string; formattedMessage: string }[]
  sources: Record<string, { id: number; ast: AstNode }>
  contracts: Record<string, Record<string, SolcContract>>
}
export interface SolcContract {
  abi: Abi
  devdoc: Record<string, Record<string, unknown>>
  userdoc: Record<string, Record<string, unknown>>
  storageLayout: { storage: { label: string; slot: string; type: string }[] }
  evm: {
    bytecode: { object: string; opcodes: string; sourceMap: string }
    deployedBytecode: {
      object: string
      opcodes: string
      sourceMap: string
      immutableReferences?: Record<string, { start: number }[]>
    }
  }
}

// Their names come from the syntax tree, which a draft does without.
const IMMUTABLES = ['evm.deployedBytecode.immutableReferences']

// EIP-1153's general caution. The only transient storage here is the reentrancy guard, which clears itself.
const ACCEPTED_WARNINGS = ['2394']

/**
 * Compiles the contracts named in `wanted` ("path.sol:Name") from `sources` (path → text). Imports that are not among the
 * sources are read from the installed packages.
 *
 * `purpose`: `deployed` is what money is trusted to. `tokens` are the stand-ins of tests and devnets, built as most tokens on the
 * chains are, so that gas measured with them says something. `draft` is for code with planted bugs: no optimizer, which is
 * several times faster, and warnings pass.
 *
 * @throws Error with the compiler's own words on any error or on a warning that nobody accepted.
 * @example compileSolidity({ 'src/A.sol': text }, ['src/A.sol:A']).get('A')?.bytecode
 */
export function compileSolidity(
  sources: Record<string, string>,
  wanted: string[],
  { purpose = 'deployed' }: { purpose?: Purpose } = {},
): Map<string, Compiled> {
  const draft = purpose === 'draft'
  const outputSelection: Record<string, Record<string, string[]>> = {}
  if (!draft) for (const path of Object.keys(sources)) outputSelection[path] = { '': ['ast'] }
  for (const target of wanted) {
    const [path, name] = split(target)
    outputSelection[path] = {
      ...outputSelection[path],
      [name]: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object', ...(draft ? [] : IMMUTABLES)],
    }
  }
  const output = runSolidity(sources, outputSelection, purpose)
  const names = immutableNames(output)
  return new Map(
    wanted.map((target) => {
      const [path, name] = split(target)
      const contract = output.contracts[path]?.[name]
      if (!contract) throw new Error(`${target} is not among the compiled contracts`)
      return [name, toCompiled(contract, names)]
    }),
  )
}

interface Compiler {
  version(): string
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string
}

/** All that decides the bytecode beside the sources. */
export const settingsOf = (purpose: Purpose) => ({
  viaIR: purpose === 'deployed',
  optimizer: { enabled: purpose !== 'draft', runs: purpose === 'deployed' ? 200 : 1000 },
  evmVersion: 'cancun',
  metadata: { bytecodeHash: 'none', appendCBOR: false },
})

export const compilerVersion = (): string => (require('solc') as Compiler).version()

/** The text of an imported file of an installed package. */
export const readImport = (path: string): string => readFileSync(require.resolve(path), 'utf8')

/**
 * The compiler's whole answer to a selection of outputs.
 *
 * @throws Error with the compiler's own words on any error or on a warning that nobody accepted.
 */
export function runSolidity(
  sources: Record<string, string>,
  outputSelection: Record<string, Record<string, string[]>>,
  purpose: Purpose,
): SolcOutput {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    settings: { ...settingsOf(purpose), outputSelection },
  }
  const output: SolcOutput = JSON.parse(
    (require('solc') as Compiler).compile(JSON.stringify(input), {
      import: (path) => ({ contents: readImport(path) }),
    }),
  )
  const faults = (output.errors ?? []).filter(
    ({ severity, errorCode = '' }) =>
      severity === 'error' || (severity === 'warning' && purpose !== 'draft' && !ACCEPTED_WARNINGS.includes(errorCode)),
  )
  if (faults.length > 0) throw new Error(faults.map((e) => e.formattedMessage).join('\n'))
  return output
}

function toCompiled(contract: SolcContract, names: Map<string, string>): Compiled {
  const code: Hex = `0x${contract.evm.deployedBytecode.object}`
  const immutables: Record<string, number[]> = {}
  for (const [id, places] of Object.entries(contract.evm.deployedBytecode.immutableReferences ?? {})) {
    const name = names.get(id)
    if (!name) throw new Error(`immutable ${id} has no name`)
    immutables[name] = places.map((place) => place.start)
  }
  return {
    abi: contract.abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
    runtime: { code, hash: keccak256(code), immutables },
  }
}

function immutableNames(output: SolcOutput): Map<string, string> {
  const names = new Map<string, string>()
  const walk = (node: AstNode) => {
    if (node.nodeType === 'VariableDeclaration' && node.name) names.set(String(node.id), node.name)
    for (const child of node.nodes ?? []) walk(child)
  }
  for (const source of Object.values(output.sources)) if (source.ast) walk(source.ast)
  return names
}

function split(target: string): [path: string, name: string] {
  const [path, name] = target.split(':')
  if (!path || !name) throw new Error(`"${target}" is not "path.sol:Name"`)
  return [path, name]
}
