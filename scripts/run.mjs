// `node scripts/run.mjs FILE [arguments]`: runs a TypeScript file on the pinned Node, with everything installed.
import { ensureInstalled } from './install.mjs'
import { handOver, pinnedNode } from './node.mjs'

if (process.argv[2] === undefined) {
  process.stderr.write('Say which file: node scripts/run.mjs FILE [arguments]\n')
  process.exit(1)
}
await ensureInstalled('full')
await handOver(pinnedNode(), process.argv.slice(2))
