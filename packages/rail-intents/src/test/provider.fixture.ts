// A double of NEAR Intents' 1Click: an HTTP server of its own that signs with its own key, keeps its own time, and misbehaves
// as the real one was seen to. Tests move its money; with `auto` it moves by itself, for a devnet.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { QuoteReply } from '../client/wire.ts'
import { makeSigner, priceQuote, type QuoteRules, quoteReply, Refusal, signQuote } from './quotes.fixture.ts'
import { announce, type DoubleSwap, deposit, fill, passTime } from './swaps.fixture.ts'
import { listedTokens } from './tokens.fixture.ts'

/** What the next answers to a path are instead; `after`: once the question was carried out. */
export type Fault =
  | { kind: 'status'; status: number; body: string; html?: true; after?: true }
  | { kind: 'reset'; after?: true }
  | { kind: 'silence'; after?: true }
  | { kind: 'half' }

export interface Received {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Record<string, unknown> | null
  at: Date
}

export interface Provider {
  url: string
  signer: string
  rules: {
    key: string | null
    /** Changes a quote before it is signed, or after. */
    lie: { change(reply: QuoteReply): void; isSigned: boolean } | null
    /** Replaces the word of a status. */
    word: string | null
    isDown: boolean
    feedKey: string
    /** What its list says instead of the truth: nothing, or of everything that it moves. */
    listLies: 'nothing' | 'all_move' | null
    /** Says nothing of a deposit's amount. */
    hidesDeposits: boolean
    created: boolean
    off: Set<string>
    blocked: Set<string>
    memoChains: Set<string>
    prices: Map<string, number>
  } & { -readonly [K in Exclude<keyof QuoteRules, 'off' | 'blocked' | 'memoChains' | 'prices'>]: QuoteRules[K] }
  requests: Received[]
  swaps: DoubleSwap[]
  faults: Map<string, Fault[]>
  /** Waited for when the question is carried out and before its answer is sent; null: nothing is done. */
  beforeAnswer: ((path: string, answer: unknown) => Promise<void>) | null
  find(address: string): DoubleSwap
  /** As a payer sends it: what comes without the memo that the quote had, or with another one, is seen by nobody. */
  send(to: { address: string; memo: string | null }, amount: bigint): void
  close(): Promise<void>
}

const AUTO_STEP_MS = 4_000

export async function startProvider(
  a: { now?: () => Date; port?: number; auto?: true; minUsd?: number } = {},
): Promise<Provider> {
  const now = a.now ?? (() => new Date())
  const signer = makeSigner()
  const provider: Provider = {
    url: '',
    signer: signer.publicKey,
    rules: {
      ...{
        key: null,
        lie: null,
        word: null,
        isDown: false,
        feedKey: 'feed-key-of-the-double',
        hidesDeposits: false,
        listLies: null,
      },
      ...{ created: false, providerBps: 20, off: new Set<string>(), blocked: new Set<string>(), minUsd: a.minUsd ?? 2 },
      ...{ memoChains: new Set<string>(), prices: new Map<string, number>(), isLateSwapped: false },
    },
    ...{ requests: [], swaps: [], faults: new Map(), beforeAnswer: null },
    find(address) {
      const swap = provider.swaps.find((one) => one.address === address)
      if (swap === undefined) throw new Error(`the double gave out no address ${address}`)
      return swap
    },
    send({ address, memo }, amount) {
      const swap = provider.swaps.find((one) => one.address === address && one.memo === memo)
      if (swap !== undefined) deposit(swap, amount, now())
    },
    close: async () => undefined,
  }
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const url = new URL(request.url ?? '/', 'http://double')
    const text = Buffer.concat(parts).toString('utf8')
    const body = text === '' ? null : (JSON.parse(text) as Record<string, unknown>)
    const { method = 'GET', headers } = request
    provider.requests.push({ method, path: url.pathname, headers, body, at: now() })
    if (provider.rules.isDown) return void request.socket.destroy()
    const fault = provider.faults.get(url.pathname)?.shift()
    if (fault !== undefined && !('after' in fault && fault.after)) return misbehave(fault, response, '{"status":"PEND')
    const answer = ((): { status: number; json: unknown } => {
      try {
        return handle(method, url, body, headers)
      } catch (error) {
        if (error instanceof Refusal) return { status: error.status, json: { message: error.message } }
        throw error
      }
    })()
    await provider.beforeAnswer?.(url.pathname, answer.json)
    const json = JSON.stringify(answer.json)
    if (fault !== undefined) return misbehave(fault, response, json)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(json)
  }

  function handle(
    method: string,
    url: URL,
    body: Record<string, unknown> | null,
    headers: IncomingMessage['headers'],
  ): { status: number; json: unknown } {
    const route = `${method} ${url.pathname}`
    if (route === 'GET /v0/tokens') {
      const priceUpdatedAt = now().toISOString()
      return { status: 200, json: listedTokens.map((token) => ({ ...token, priceUpdatedAt })) }
    }
    if (route === 'GET /api/v0/transactions') return { status: 200, json: listed(url, headers) }
    const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '')
    if (key !== undefined && provider.rules.key !== null && key !== provider.rules.key)
      throw new Refusal(401, 'API key or JWT token is invalid')
    if (route === 'POST /v0/quote') return { status: provider.rules.created ? 201 : 200, json: quoted(body ?? {}) }
    if (route === 'GET /v0/status')
      return { status: 200, json: told(url.searchParams.get('depositAddress'), url.searchParams.get('depositMemo')) }
    if (route === 'POST /v0/deposit/submit')
      return { status: 200, json: told(String(body?.depositAddress), (body?.memo as string | undefined) ?? null) }
    throw new Refusal(404, `Cannot ${route}`)
  }

  function quoted(body: Record<string, unknown>): QuoteReply {
    const { rules } = provider
    const priced = priceQuote(body, rules, now())
    const n = provider.swaps.length + 1
    const reply = quoteReply(priced, { n, now: now(), rules, correlationId: randomUUID() })
    const lie = rules.lie
    if (lie?.isSigned === true) lie.change(reply)
    const signed = { ...reply, signature: signQuote(signer, reply) }
    if (lie?.isSigned === false) lie.change(signed)
    if (priced.echo.dry !== true) provider.swaps.push(swapOf(priced, signed))
    return signed
  }

  function swapOf({ echo, priced, origin }: ReturnType<typeof priceQuote>, reply: QuoteReply): DoubleSwap {
    return {
      ...{ address: String(reply.quote.depositAddress), memo: (reply.quote.depositMemo as string | undefined) ?? null },
      ...{ chain: origin.blockchain, reply: { ...reply }, echo, priced, createdAt: now(), updatedAt: now() },
      ...{ endsAt: new Date(String(reply.quote.deadline)), status: 'PENDING_DEPOSIT', deposited: 0n, origin: [] },
      ...{ destination: [], amountIn: null, amountOut: null, refunded: null, reason: null },
    }
  }

  function told(address: string | null, memo: string | null): unknown {
    const swap = provider.swaps.find((one) => one.address === address && one.memo === memo)
    if (swap === undefined) throw new Refusal(404, `Deposit address ${address} not found`)
    if (a.auto === true) moveByItself(swap, now())
    passTime(swap, now())
    const digits = (value: bigint | null): string | null => (value === null ? null : value.toString())
    const { reply } = swap
    const quoteRequest = { virtualChainRecipient: null, ...(reply.quoteRequest as object) }
    const transactions = (hashes: readonly string[]): unknown => hashes.map((hash) => ({ hash, explorerUrl: '' }))
    const isKnown = swap.deposited > 0n && !provider.rules.hidesDeposits
    return {
      ...{ correlationId: randomUUID(), quoteResponse: { ...reply, quoteRequest } },
      ...{ status: provider.rules.word ?? swap.status, updatedAt: swap.updatedAt.toISOString() },
      swapDetails: {
        ...{ intentHashes: [], nearTxHashes: [], originChainTxHashes: transactions(swap.origin) },
        ...{ destinationChainTxHashes: transactions(swap.destination) },
        ...{ amountIn: digits(swap.amountIn), amountOut: digits(swap.amountOut) },
        ...{ depositedAmount: isKnown ? digits(swap.deposited) : null, refundedAmount: digits(swap.refunded) ?? '0' },
        ...{ refundReason: swap.reason, slippage: null },
      },
    }
  }

  function listed(url: URL, headers: IncomingMessage['headers']): unknown {
    if (headers.authorization !== `Bearer ${provider.rules.feedKey}`) throw new Refusal(401, 'Unauthorized')
    const last = provider.requests.slice(0, -1).findLast((one) => one.path === url.pathname)
    if (last !== undefined && now().getTime() - last.at.getTime() < 5_000) throw new Refusal(429, 'Too Many Requests')
    const statuses = url.searchParams.get('statuses')?.split(',') ?? []
    const since = new Date(url.searchParams.get('startTimestamp') ?? 0)
    return provider.swaps
      .filter(() => provider.rules.listLies !== 'nothing')
      .map((swap) => (provider.rules.listLies === null ? swap : { ...swap, status: 'PROCESSING' as const }))
      .filter((swap) => swap.createdAt >= since && statuses.includes(swap.status))
      .filter((swap) => url.searchParams.get('referral') === swap.echo.referral)
      .slice(-Number(url.searchParams.get('numberOfTransactions') ?? 50))
      .map((swap) => ({ depositAddress: swap.address, depositMemo: swap.memo, status: swap.status }))
  }

  await new Promise<void>((resolve) => server.listen(a.port ?? 0, '127.0.0.1', resolve))
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return provider
}

/** On a devnet nobody can pay: every swap that is looked at is paid by somebody, a step at a time. */
function moveByItself(swap: DoubleSwap, now: Date): void {
  const ageMs = now.getTime() - swap.createdAt.getTime()
  if (ageMs > 3 * AUTO_STEP_MS) announce(swap, now)
  if (ageMs > 4 * AUTO_STEP_MS && swap.deposited === 0n) deposit(swap, swap.priced.amountIn, now)
  if (ageMs > 6 * AUTO_STEP_MS) fill(swap, now)
}

function misbehave(fault: Fault, response: ServerResponse, json: string): void {
  switch (fault.kind) {
    case 'status': {
      const type = fault.html === true ? 'text/html' : 'application/json'
      response.writeHead(fault.status, { 'content-type': type }).end(fault.body)
      return
    }
    case 'reset':
      response.socket?.destroy()
      return
    case 'half':
      response.writeHead(200, { 'content-type': 'application/json' }).end(json.slice(0, json.length / 2))
      return
    case 'silence':
      return
  }
}
