// How the payer's page is built: hashed files under dist/, a manifest that the server reads, and every text file
// compressed beside itself so that the server never compresses while a payer waits.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Writes name.gz and name.br beside each script, style and drawing. */
function compressed(): Plugin {
  let folder = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|svg)$/.test(name)) continue
        const bytes = readFileSync(join(folder, name))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }))
      }
    },
  }
}

export default defineConfig({
  // Files name each other relatively, so the service may live under any path of its host.
  base: './',
  plugins: [react(), compressed()],
  build: {
    // The browsers that docs/limits.md names.
    target: ['chrome94', 'edge94', 'firefox93', 'safari15.4'],
    outDir: 'dist',
    emptyOutDir: true,
    manifest: 'manifest.json',
    // The strict policy of the page allows no inline polyfill, and every target browser preloads modules itself.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { input: 'src/main.tsx' },
  },
})
