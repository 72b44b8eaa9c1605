// Owns how the console is built: served under /console by the same server as the API, everything from our own origin.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = process.env.FLORIN_API ?? 'http://127.0.0.1:3000'

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The policy of the page allows data: for images only, so nothing else may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: true,
  },
  server: { proxy: { '/api': api, '/v1': api, '/pay': api, '/checkout': api } },
})
