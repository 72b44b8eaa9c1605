// `npm start`: installs what is missing, builds the pages when they are stale, hands over to the server on Node 24.
// `--demo` walks through a merchant's first hour instead, `--devnet` brings a local chain along; every other argument
// is passed on.
import { join } from 'node:path'
import { ensureInstalled, root } from './install.mjs'
import { handOver, pinnedNode, settings } from './node.mjs'
import { buildPages } from './pages.mjs'

const args = process.argv.slice(2)
const program = args.includes('--demo')
  ? 'scripts/demo.ts'
  : args.includes('--devnet')
    ? 'scripts/devnet.ts'
    : 'packages/server/src/main.ts'

await ensureInstalled(program === 'packages/server/src/main.ts' ? 'runtime' : 'devnet')
const node = pinnedNode()
await buildPages(node)
await handOver(node, [
  ...['--max-semi-space-size=16', '--no-parallel-scavenge', ...settings(), join(root, program)],
  ...args.filter((arg) => arg !== '--demo'),
])
