// `node scripts/operate.mjs PROGRAM [arguments]`: one of the server's own commands (backup, doctor, erase, …), installed and with the
// settings that `npm start` has.
import { join } from 'node:path'
import { ensureInstalled, root } from './install.mjs'
import { handOver, pinnedNode, settings } from './node.mjs'

const [program, ...args] = process.argv.slice(2)
if (program === undefined) {
  process.stderr.write('Say which program: node scripts/operate.mjs FILE [arguments]\n')
  process.exit(1)
}
await ensureInstalled('runtime')
await handOver(pinnedNode(), [...settings(), join(root, program), ...args])
