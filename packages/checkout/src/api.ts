// The calls to the server: reading the checkout, the payer's acts, and what a refusal means in the payer's words.

import { type Phrase, phrase } from '@florin/checkout-core'
import {
  CHECKOUT_EVENT,
  type Checkout,
  type Custody,
  type ErrorBody,
  type PayChoice,
  type SimulateAction,
} from '@florin/protocol'
import type { LivePorts } from './live.ts'

/** A refusal: the sentence for the payer, and the server's own words where they say more. */
export class Refusal extends Error {
  readonly code: ErrorBody['code'] | 'network'
  readonly param: string | null
  /** The server's sentence, in English. */
  readonly said: string | null
  constructor(code: ErrorBody['code'] | 'network', param: string | null = null, said: string | null = null) {
    super(said ?? code)
    this.code = code
    this.param = param
    this.said = said
  }
}

/** What a refusal is called in the payer's language; `chain` is the network an address was meant for. */
export function refusalPhrase(refusal: Refusal, chain: string): Phrase {
  switch (refusal.code) {
    case 'network':
      return phrase('error_network')
    case 'invalid_address':
      return phrase('error_address', { chain })
    case 'validation_failed':
      return refusal.param === 'tx_hash' ? phrase('error_hash', { chain }) : phrase('error_other')
    case 'refund_address_taken':
      return phrase('error_address_taken')
    case 'invalid_wallet_signature':
      return phrase('error_sign')
    case 'leg_not_changeable':
      return phrase('error_leg_fixed')
    case 'merchant_suspended':
    case 'merchant_closed':
      return phrase('error_shop')
    case 'no_rail':
    case 'no_price':
    case 'rail_unavailable':
    case 'unavailable':
    case 'unknown_chain':
    case 'unknown_asset':
      return phrase('error_rail')
    case 'amount_too_small':
    case 'amount_too_large':
      return phrase('error_amount')
    case 'rate_limited':
      return phrase('error_busy')
    default:
      return phrase('error_other')
  }
}

/** The page stands at …/pay/{token} and its data beside it, under whatever path the service lives. */
export function checkoutPath(pagePath: string): string {
  return pagePath.replace(/\/pay\/([^/]+)\/?$/, '/checkout/$1')
}

/** That the wallet which paid wants its money at an address. */
export interface WalletProof {
  pay_leg: string
  from: string
  expires_at: string
  signature: string
}

export interface Api {
  ports: LivePorts
  /** All ways to pay; fails as the others do. */
  choices(): Promise<PayChoice[]>
  choose(choice: { chain: string; asset: string; custody: Custody; refund_address?: string }): Promise<Checkout>
  giveRefundAddress(address: string): Promise<Checkout>
  signRefundAddress(address: string, proof: WalletProof): Promise<Checkout>
  look(txHash: string): Promise<Checkout>
  simulate(action: SimulateAction): Promise<Checkout>
}

/** No answer within this long counts as none. */
const PATIENCE_MS = 20_000

/** The language of the page, which the payer may have picked: mails to the payer are in it. */
const spoken = (): string => document.documentElement.lang || 'en'

/** @param path as `checkoutPath` gives it */
export function makeApi(path: string): Api {
  const call = (url: string, body?: object): Promise<Checkout> => ask(url, isCheckout, body)

  async function ask<T>(url: string, isIt: (json: unknown) => json is T, body?: object): Promise<T> {
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS)
    const { signal } = patience
    const init: RequestInit = body
      ? {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Accept-Language': spoken() },
          body: JSON.stringify(body),
          signal,
        }
      : { signal }
    const answer = await fetch(url, init).catch(() => null)
    const json: unknown = await answer?.json().catch(() => null)
    clearTimeout(timer)
    if (answer?.ok && isIt(json)) return json
    const error = errorOf(json)
    throw error === null ? new Refusal('network') : new Refusal(error.code, error.param, error.message)
  }
  return {
    ports: {
      openStream(onCheckout, onDown) {
        if (typeof EventSource === 'undefined') {
          // Asking every few seconds takes its place.
          const timer = setTimeout(onDown)
          return () => clearTimeout(timer)
        }
        const stream = new EventSource(`${path}/stream`)
        stream.addEventListener(CHECKOUT_EVENT, (event) => {
          const json: unknown = JSON.parse(String(event.data))
          if (isCheckout(json)) onCheckout(json)
        })
        stream.onerror = () => {
          // The browser would try again by itself but not say how it goes, so the trying is done in live.ts.
          stream.close()
          onDown()
        }
        return () => stream.close()
      },
      fetchCheckout: () => call(path),
      after(ms, act) {
        const timer = setTimeout(act, ms)
        return () => clearTimeout(timer)
      },
    },
    choices: async () => (await ask(`${path}/choices`, isList)).data,
    choose: (choice) => call(`${path}/pay`, choice),
    giveRefundAddress: (address) => call(`${path}/refund-address`, { address }),
    signRefundAddress: (address, proof) => call(`${path}/refund-address`, { address, proof }),
    look: (txHash) => call(`${path}/look`, { tx_hash: txHash }),
    simulate: (action) => call(`${path}/simulate`, { action }),
  }
}

// The server is ours and typed; this only keeps a proxy's error page from being taken for an order.
function isCheckout(json: unknown): json is Checkout {
  return typeof json === 'object' && json !== null && 'order_no' in json && 'server_time' in json
}

const isList = (json: unknown): json is { data: PayChoice[] } =>
  typeof json === 'object' && json !== null && 'data' in json && Array.isArray(json.data)

function errorOf(json: unknown): ErrorBody | null {
  if (typeof json !== 'object' || json === null || !('error' in json)) return null
  const { error } = json
  return typeof error === 'object' && error !== null && 'code' in error ? (error as ErrorBody) : null
}
