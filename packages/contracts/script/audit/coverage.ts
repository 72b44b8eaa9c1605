// Line and branch coverage of the Solidity by the contract tests, from traces of every transaction and simulated call on a
// real node. The build is one without optimizer, whose instructions can be traced back to their text.
//   npm run coverage -w @florin/contracts
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Hits } from '../../test/trace.ts'
import { packageRoot } from '../compile.ts'
import { runSolidity } from '../solidity.ts'
import { type Coverage, cover } from './source-map.ts'
import { ourSources } from './tree.ts'

/** What the gas and the addresses of the real build decide cannot be asked of another; burnt gas has endless traces. */
const SKIPPED = 'at any limit|by the gas of the transaction'
const SUITES = ['settle', 'batch', 'open', 'refund', 'rescue', 'roles', 'native', 'vectors']

/** Runs the tests under trace, one after the other, and relates what ran to the sources. */
export async function measureCoverage(): Promise<Coverage> {
  const sources = ourSources()
  const evm = [
    'abi',
    'evm.bytecode',
    'evm.deployedBytecode',
    'evm.bytecode.sourceMap',
    'evm.deployedBytecode.sourceMap',
  ]
  const output = runSolidity(sources, { '*': { '': ['ast'], '*': evm } }, 'draft')
  const folder = mkdtempSync(join(tmpdir(), 'florin-coverage-'))
  try {
    const contracts = ['PayFactory', 'FeeVault'].map((name) => {
      const contract = output.contracts[`src/${name}.sol`]?.[name]
      return [name, { abi: contract?.abi, bytecode: `0x${contract?.evm.bytecode.object}` }]
    })
    writeFileSync(join(folder, 'build.json'), JSON.stringify(Object.fromEntries(contracts)))
    for (const suite of SUITES) await runSuite(suite, folder)
    return cover(output, sources, merge(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A failing test is named: what fails under trace was not covered as it claims. */
async function runSuite(suite: string, folder: string): Promise<void> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const test = join(packageRoot, `test/${suite}.test.ts`)
  const options = { env: { ...env, CONTRACTS_COVERAGE: folder }, maxBuffer: 64 * 1024 * 1024 }
  await promisify(execFile)(
    process.execPath,
    ['--test', '--test-reporter=tap', `--test-skip-pattern=${SKIPPED}`, test],
    options,
  ).catch((error: unknown) => {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
    throw new Error(
      `${suite} fails under trace:\n${said
        .split('\n')
        .filter((line) => /^ *not ok|error:/.test(line))
        .join('\n')}`,
    )
  })
}

function merge(folder: string): Hits {
  const all: Record<string, { ran: Set<number>; jumps: Record<number, number> }> = {}
  for (const file of readdirSync(folder).filter((name) => name.startsWith('hits-'))) {
    const hits: Hits = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    for (const [name, { ran, jumps }] of Object.entries(hits)) {
      all[name] ??= { ran: new Set(), jumps: {} }
      const sum = all[name]
      for (const pc of ran) sum?.ran.add(pc)
      for (const [pc, ways] of Object.entries(jumps)) {
        if (sum) sum.jumps[Number(pc)] = (sum.jumps[Number(pc)] ?? 0) | ways
      }
    }
  }
  return Object.fromEntries(Object.entries(all).map(([name, { ran, jumps }]) => [name, { ran: [...ran], jumps }]))
}

/** Share in per cent, rounded down to a tenth. */
export const percent = ({ total, missed }: { total: number; missed: unknown[] }): number =>
  Math.floor(((total - missed.length) * 1_000) / total) / 10

if (import.meta.main) {
  const coverage = await measureCoverage()
  for (const [name, part] of Object.entries(coverage)) {
    console.log(`${name}: ${percent(part)} % of ${part.total}`)
    for (const { file, line, what } of part.missed) console.log(`  ${file}:${line} ${what}`)
  }
}
