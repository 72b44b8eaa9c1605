// Owns a real Chromium for tests and pictures: the machine's own where there is one, else the one that npm brings.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

// Nothing but the page under test may use the network.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function launchBrowser(): Promise<Browser> {
  const installed = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync)
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args: flags })
  const { default: brought } = await import('@sparticuz/chromium')
  return chromium.launch({ executablePath: await brought.executablePath(), args: [...brought.args, ...flags] })
}
