// A real Chromium for tests and pictures: the machine's own where there is one, else the one that npm brings, with the
// libraries it needs beside it, so that a machine with nothing but Node can run the tests.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

/** However busy the machine is. */
const START_WITHIN_MS = 180_000

const cache = join(import.meta.dirname, '../../../../node_modules/.cache')

/**
 * BROWSER=npm takes the one that npm brings though the machine has another.
 * @param environment variables of its process, such as its locale
 */
export async function launchBrowser(environment: Record<string, string> = {}): Promise<Browser> {
  const ours = process.env.BROWSER === 'npm'
  const installed = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => !ours && existsSync(path))
  if (installed !== undefined)
    return chromium.launch({
      executablePath: installed,
      args: flags,
      env: { ...process.env, ...environment },
      timeout: START_WITHIN_MS,
    })
  const folder = await unpack()
  const env = {
    ...process.env,
    ...environment,
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    LD_LIBRARY_PATH: [join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
  }
  // None of the flags that the package recommends: they switch off what is to be tested, such as the page's policy.
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: [...flags, '--no-zygote'],
    env,
    timeout: START_WITHIN_MS,
  })
}

/** Unpacks it once a machine. Test files run side by side, so it gets its name only when it is whole. */
async function unpack(): Promise<string> {
  const bin = fileURLToPath(new URL('../bin/', import.meta.resolve('@sparticuz/chromium')))
  const folder = join(cache, 'chromium')
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const making = await mkdtemp(`${folder}-`)
  const before = process.env.TMPDIR
  // It unpacks into the folder for temporary files, wherever that is.
  process.env.TMPDIR = making
  try {
    const { inflate } = await import('@sparticuz/chromium')
    const archives = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br', 'swiftshader.tar.br']
    await Promise.all(archives.map((name) => inflate(join(bin, name))))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  // The one that it brings looks for fonts where a cloud function has them.
  const fonts = `<dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'font-cache')}</cachedir>`
  await writeFile(
    join(making, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${fonts}</fontconfig>`,
  )
  await rename(making, folder).catch(async (error: unknown) => {
    await rm(making, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  })
  return folder
}
