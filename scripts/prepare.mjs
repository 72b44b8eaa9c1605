// Installs and builds what `npm start` would, without starting: for images and for machines that start offline.
import { ensureInstalled } from './install.mjs'
import { pinnedNode } from './node.mjs'
import { buildPages } from './pages.mjs'

await ensureInstalled('runtime')
await buildPages(pinnedNode())
