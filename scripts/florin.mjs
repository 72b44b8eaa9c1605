// `./florin [arguments]`: the command line of this checkout, installed and run on the pinned Node, in the caller's folder.
// Plain JavaScript for the machine's own Node (20 or newer). On Windows: node scripts/florin.mjs.
import { join } from 'node:path'
import { ensureInstalled, root } from './install.mjs'
import { handOver, pinnedNode } from './node.mjs'

await ensureInstalled('runtime')
await handOver(pinnedNode(), [join(root, 'packages/cli/bin/florin.mjs'), ...process.argv.slice(2)])
