// What counts as used: everything that a program, a test, a fixture, a script or a page's build starts from.
import { globSync } from 'node:fs'
import type { KnipConfig } from 'knip'

const tests = ['**/*.test.ts', '**/*.faults.ts', '**/*.fixture.ts', 'test/**/*.ts', 'script/**/*.{mjs,ts}']

/** A workspace that has a manifest and no code yet has nothing that could be unused. */
const empty = ['packages/*', 'e2e', 'bench']
  .flatMap((pattern) => globSync(pattern))
  .filter((workspace) => globSync(`${workspace}/{src,test,script,.}/**/*.{ts,tsx,mjs}`, { exclude: isForeign }).length === 0)

function isForeign(path: string): boolean {
  return /(^|[\\/])(node_modules|dist)$/.test(path)
}

const config: KnipConfig = {
  // A limit has one name for each place of the contract that it stands in, also where the number is the same.
  exclude: ['duplicates'],
  ignoreWorkspaces: empty,
  workspaces: {
    '.': { entry: ['scripts/*.{mjs,ts}', 'scripts/**/*.test.ts'], ignore: ['examples/**'] },
    'packages/*': { entry: [...tests, 'src/main.ts', 'src/index.ts'] },
    e2e: { entry: ['**/*.ts'] },
    bench: { entry: ['**/*.ts'] },
  },
}

export default config
