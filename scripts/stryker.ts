// `npm run test:stryker [-- part …]`: changes one expression after another of the packages that only compute and runs the tests that
// reach it. The score is the share of changes that a test noticed; below 85 % the run fails. A whole run takes hours:
// nightly, not in CI. Parts: order-model, protocol, chains, accounts, prices.
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'

const LEAST_PERCENT = 85
const parts: Readonly<Record<string, string>> = {
  'order-model': 'packages/order-model/{src,test}',
  protocol: 'packages/protocol/{src,test}',
  chains: 'packages/chains/{src,test}',
  accounts: 'packages/accounts/{src,test}',
  prices: 'packages/server/src/prices/agree',
}
const wanted = process.argv.slice(2)
const unknown = wanted.filter((part) => parts[part] === undefined)
if (unknown.length > 0) {
  process.stderr.write(`there is no part ${unknown.join(' and no part ')}: ${Object.keys(parts).join(', ')}\n`)
  process.exit(1)
}
// Stryker starts `node` by its name: the pinned one, which loads TypeScript as it is.
process.env.PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`

const scores: [part: string, percent: number, changes: number][] = []
for (const [part, folder] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(part)) continue
  const results = await new Stryker(optionsFor(folder)).runMutationTest()
  const count = (...wished: string[]): number => results.filter(({ status }) => wished.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  const all = noticed + count('Survived', 'NoCoverage')
  scores.push([part, (100 * noticed) / all, all])
}
for (const [part, percent, all] of scores) {
  process.stdout.write(`${percent.toFixed(1).padStart(6)} % of ${all} changes noticed: ${part}\n`)
}
process.exitCode = scores.every(([, percent]) => percent >= LEAST_PERCENT) ? 0 : 1

function optionsFor(folder: string): ConstructorParameters<typeof Stryker>[0] {
  return {
    plugins: ['@stryker-mutator/tap-runner'],
    testRunner: 'tap',
    mutate: [
      `${folder}/**/*.ts`,
      '!**/test/**',
      '!**/*.{test,fixture}.ts',
      // A list of chains: its values are data.
      '!packages/chains/src/catalogue/**',
    ],
    tap: {
      testFiles: [`${folder}/**/!(*.slow|*.faults|*.system).test.ts`],
      nodeArgs: [
        // The skipped test reads the text of the sources.
        ...['--no-warnings', '--test-reporter=tap', '--test-skip-pattern=the sources import nothing'],
        ...['-r', '{{hookFile}}', '{{testFile}}'],
      ],
      forceBail: true,
    },
    coverageAnalysis: 'perTest',
    tempDirName: join(tmpdir(), 'florin-stryker'),
    cleanTempDir: 'always',
    symlinkNodeModules: false,
    buildCommand: `node ${join(import.meta.dirname, 'stryker/link-modules.mjs')}`,
    ignorePatterns: ['dist', 'docs', 'deploy', 'packages/console', 'packages/checkout', 'packages/contracts'],
    // Stryker would rewrite the settings by an interface that TypeScript 7 no longer has. Nothing is compiled.
    tsconfigFile: 'none',
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 15,
  }
}
