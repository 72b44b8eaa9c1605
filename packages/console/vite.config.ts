// How the console is built: served under /console by the same server as the API, everything from our own origin, and
// every text file compressed beside itself, so that the server need not.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

function compress(): Plugin {
  return {
    name: 'florin:compress',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      for (const name of globSync('**/*.{js,css,svg}', { cwd: dir })) {
        const content = readFileSync(join(dir, name))
        writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }))
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content))
      }
    },
  }
}

const api = process.env.FLORIN_API ?? 'http://127.0.0.1:3000'

export default defineConfig({
  base: '/console/',
  plugins: [react(), compress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The policy of the page allows data: for images only, so nothing else may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The browsers that docs/limits.md names.
    target: ['chrome111', 'edge111', 'firefox115', 'safari16.4'],
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What pages share travels together: with a chunk for each bit of it a page would be a dozen requests. React and
          // the router change seldom, so a new release of the console leaves them in the browser's cache.
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/, priority: 2 },
            { name: 'shared', minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': api, '/v1': api, '/pay': api, '/checkout': api } },
})
