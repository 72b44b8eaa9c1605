// The page that moves money with a wallet: written to a file, or served on this machine for wallets that leave files alone.
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type Exit, writeProof } from '@florin/exit'
import type { Call } from '../command.ts'
import { Failure } from '../failure.ts'

/** @param exit a proof to show at once, or null. */
export function pageWith(exit: Exit | null): string {
  const page = process.env.FLORIN_EXIT_PAGE ?? ''
  if (exit === null) return page
  // Inside a script element only "</" ends it.
  const text = JSON.stringify(writeProof(exit)).replaceAll('<', '\\u003c')
  return page.replace(
    '<script type="application/json" id="proof">null',
    () => `<script type="application/json" id="proof">${text}`,
  )
}

export async function writePage(file: string, exit: Exit | null): Promise<void> {
  await writeFile(file, pageWith(exit)).catch((error: unknown) => {
    throw new Failure(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`)
  })
}

/** Serves it on the loopback interface until the program is stopped. */
export async function servePage(call: Call, port: number, exit: Exit | null): Promise<number> {
  const html = pageWith(exit)
  const server = createServer((request, response) => {
    const isPage = request.method === 'GET' && request.url === '/'
    response.writeHead(isPage ? 200 : 404, {
      'content-type': isPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    response.end(isPage ? html : 'Only the page itself is here: /\n')
  })
  const bound = await new Promise<number>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Failure(error.code === 'EADDRINUSE' ? `Port ${port} is in use: --port takes another.` : error.message))
    })
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
  call.terminal.out(`http://127.0.0.1:${bound}/`)
  call.terminal.note('Open this in the browser that has your wallet. Ctrl-C ends it.')
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  server.close()
  return 0
}
