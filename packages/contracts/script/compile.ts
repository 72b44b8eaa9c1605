// Compiles the contracts and writes what the programs read: one TypeScript file a contract, with ABI and bytecode. The files
// are committed, so that running Florin needs no compiler; a test compiles again and compares.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Compiled, compileSolidity } from './solidity.ts'

export const packageRoot = join(import.meta.dirname, '..')

/** Contract → generated file. What stands under test/ is for tests alone; the two tokens also serve a devnet. */
const TARGETS: Record<string, string> = {
  'src/PayFactory.sol:PayFactory': 'abi/pay-factory.ts',
  'src/DepositVault.sol:DepositVault': 'abi/deposit-vault.ts',
  'src/FeeVault.sol:FeeVault': 'abi/fee-vault.ts',
  'test/sol/Tokens.sol:TestUsdc': 'abi/test-usdc.ts',
  'test/sol/Tokens.sol:TestUsdt': 'abi/test-usdt.ts',
  'test/sol/Tokens.sol:TestProxy': 'test/abi/test-proxy.ts',
  'test/sol/Tokens.sol:FalseToken': 'test/abi/false-token.ts',
  'test/sol/Tokens.sol:HookToken': 'test/abi/hook-token.ts',
  'test/sol/Tokens.sol:BombToken': 'test/abi/bomb-token.ts',
  'test/sol/Tokens.sol:HungryToken': 'test/abi/hungry-token.ts',
  'test/sol/Receivers.sol:Rejector': 'test/abi/rejector.ts',
  'test/sol/Receivers.sol:Gate': 'test/abi/gate.ts',
  'test/sol/Receivers.sol:GasBurner': 'test/abi/gas-burner.ts',
  'test/sol/Receivers.sol:ReturnBomb': 'test/abi/return-bomb.ts',
  'test/sol/Receivers.sol:Reenterer': 'test/abi/reenterer.ts',
  'test/sol/Receivers.sol:StipendSender': 'test/abi/stipend-sender.ts',
  'test/sol/Wallets.sol:TestWallet': 'test/abi/test-wallet.ts',
  'test/sol/Probe.sol:Probe': 'test/abi/probe.ts',
}

/** The Solidity files of the package: path inside it → text. */
export function readSources(): Record<string, string> {
  const paths = ['src', 'test/sol'].flatMap((folder) =>
    readdirSync(join(packageRoot, folder))
      .filter((name) => name.endsWith('.sol'))
      .sort()
      .map((name) => `${folder}/${name}`),
  )
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(packageRoot, path), 'utf8')]))
}

/** Compiles everything and returns the text of each generated file: path inside the package → text. */
export function generateFiles(): Map<string, string> {
  const isOurs = (path: string) => path.startsWith('src/')
  const sources = readSources()
  const ours = Object.fromEntries(Object.entries(sources).filter(([path]) => isOurs(path)))
  const targets = Object.keys(TARGETS)
  const compiled = new Map([
    ...compileSolidity(ours, targets.filter(isOurs)),
    ...compileSolidity(
      sources,
      targets.filter((target) => !isOurs(target)),
      { purpose: 'tokens' },
    ),
  ])
  const files = new Map<string, string>()
  for (const [target, path] of Object.entries(TARGETS)) {
    const name = target.slice(target.indexOf(':') + 1)
    const contract = compiled.get(name)
    if (!contract) throw new Error(`${name} was not compiled`)
    files.set(path, render(name, contract, path.startsWith('abi/')))
  }
  return files
}

function render(name: string, contract: Compiled, withRuntime: boolean): string {
  const prefix = name.charAt(0).toLowerCase() + name.slice(1)
  const lines = [
    `// Generated from ${name} by script/compile.ts: do not edit.`,
    `export const ${prefix}Abi = ${JSON.stringify(contract.abi, null, 2)} as const`,
    '',
    '/** Creation code, without constructor arguments. */',
    `export const ${prefix}Bytecode: \`0x\${string}\` = '${contract.bytecode}'`,
  ]
  if (withRuntime && name !== 'TestUsdc' && name !== 'TestUsdt') {
    lines.push(
      '',
      '/** Code on the chain with zeros for the immutables, the keccak-256 of that, and the byte offsets of each immutable. */',
      `export const ${prefix}Runtime: { code: \`0x\${string}\`; hash: \`0x\${string}\`; immutables: Record<string, readonly number[]> } = ${JSON.stringify(contract.runtime, null, 2)}`,
    )
  }
  return `${lines.join('\n')}\n`
}

if (import.meta.main) {
  for (const [path, text] of generateFiles()) {
    const file = join(packageRoot, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`wrote ${path} (${text.length} characters)`)
  }
}
