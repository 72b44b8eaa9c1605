// The interface of a rail: an engine that carries an order from the payer's leg to the merchant's address.
// A rail reports what it saw (RailFact) and never writes an order. Amounts are bigint in the asset's smallest unit.
import { type Proof, UNDERPAY_TOLERANCE_MAX_MICROS } from '@florin/protocol'

export interface AssetRef {
  chain: string
  /** `USDC`, `USDT` or the native symbol. */
  asset: string
  /** Token contract, or null for the native coin. */
  contract: string | null
  decimals: number
}

export type RailKind = 'sandbox' | 'forwarder' | 'utxo' | 'intents'

export interface RailCapabilities {
  kind: RailKind
  /** `third-party`: somebody else holds the money for some minutes; carried only where the merchant switched it on. */
  custody: 'none' | 'third-party'
  /** The payer may pay in another asset or on another chain than the merchant gets. */
  crossChain: boolean
  refundAddress: 'required' | 'optional' | 'unused'
  /**
   * `account`: each order is paid at an address of its own from an account of the merchant's wallet, and it takes no plain
   * address. Omitted: it settles to plain addresses, and takes no account. One that moves no money takes both.
   */
  settlesTo?: 'account'
  /**
   * There is a chain behind it, told by providers that may lie: money can lie there that nobody reported, and a coin can
   * lose its price.
   */
  isOnChain: boolean
}

export interface LegRequest {
  /** Randomness made by the server and stored before use; a rail derives the address from it. Same ref, same answer. */
  legRef: string
  orderRef: string
  livemode: boolean
  pay: AssetRef
  settle: AssetRef
  amountUsdMicros: bigint
  underpayToleranceBps: number
  feeBps: number
  /** An address, or the reference of an account (`acct_…`) where the rail settles to those. */
  merchantAddress: string
  refundAddress: string | null
  now: Date
  expiresAt: Date
}

/** What must arrive on a leg for it to count as paid: the amount due less the tolerance, which is at most $1. */
export function leastPaid(
  a: Pick<LegRequest, 'amountUsdMicros' | 'underpayToleranceBps'> & { amountDue: bigint },
): bigint {
  const byBps = (a.amountDue * BigInt(a.underpayToleranceBps)) / 10_000n
  const byDollar = (a.amountDue * UNDERPAY_TOLERANCE_MAX_MICROS) / a.amountUsdMicros
  return a.amountDue - (byBps < byDollar ? byBps : byDollar)
}

export interface OpenedLeg {
  address: string
  /** The token's contract on the chain that carries the leg, where a test chain has its own. */
  contract?: string
  memo: string | null
  /** EIP-681, BIP-21, …; what a wallet scans. */
  uri: string
  amountDue: bigint
  /** What the merchant's address gets when exactly `amountDue` is paid, after the fee, in the settle asset. */
  amountOut: bigint
  /** An excess up to this is not worth sending back. */
  dust: bigint
  isStable: boolean
  rate: { price: string; source: string; expiresAt: Date }
  confirmationsRequired: number
  /** What must arrive at least, where the rail judges it; omitted: the amount due less the order's tolerance. */
  least?: bigint
  /** Seconds from a payment's confirmation to the merchant's money, as the rail expects; omitted: it does not say. */
  expectedS?: number
  /** Everything a third party needs to recompute the address and push the money without us. */
  proof: Proof | null
}

export interface SettleRequest {
  /** Idempotency: the same id is never settled twice. */
  settlementId: string
  orderRef: string
  legRef: string
  livemode: boolean
  pay: AssetRef
  settle: AssetRef
  merchantAddress: string
  gross: bigint
  feeBps: number
}

/** Why a settlement is held back, with what people need to judge it. */
export interface Hold {
  why: 'depegged'
  evidence: Readonly<Record<string, string>>
}

export interface RefundRequest {
  /** Idempotency: the same id is never refunded twice. */
  refundId: string
  orderRef: string
  legRef: string
  livemode: boolean
  asset: AssetRef
  amount: bigint
  to: string
  /** Whether `to` was bound into the leg when it was opened. */
  isBound: boolean
}

export interface HoldingQuestion {
  orderRef: string
  legRef: string
  /** What the order has booked on this leg; the rail adds what else it can carry there. */
  assets: readonly AssetRef[]
}

/** What a leg's address holds of one asset, at one final block, with what was reported since. */
export interface Holding {
  legRef: string
  asset: AssetRef
  amount: bigint
  /** The final block; null where a rail has none. */
  height: bigint | null
}

/** An asset that a rail takes from payers or pays out, in the names of the catalogue of chains where that has it. */
export interface CarriedAsset extends AssetRef {
  /** What people call the coin. */
  name: string
  chainName: string
  /** The catalogue of chains knows it: an order can settle in it. Others can only be paid with. */
  isListed: boolean
  /** Payers can pay with it. */
  takes: boolean
  /** A merchant can get it. */
  pays: boolean
  /** Dollars for one whole unit, for display; null: not known. */
  priceMicros: bigint | null
}

/** What paying an order by a rail costs the payer in all, before a leg is opened; the leg's own quote is what holds. */
export interface RouteEstimate {
  /** Fees and the way's own costs are in it; null: the price has to be asked for. */
  amountDue: bigint | null
  /** What the merchant's address gets. */
  amountOut: bigint | null
  /** What the payer pays beyond the order's amount, in micro-dollars; an estimate as the rest. */
  costUsdMicros: bigint
  /** Seconds from the payment's confirmation to the merchant's money. */
  expectedS: number
}

/** A way that does not work now; it comes back by itself. */
export interface SickRoute {
  chain: string
  /** null: every asset of the chain; `*`: whatever the rail carries. */
  asset: string | null
  side: 'pay' | 'settle'
  since: Date
  /** In a sentence. */
  note: string
}

/** Something keeps money from moving, or soon will. It is over when it is no longer reported. */
export interface RailTrouble {
  kind:
    | 'out_of_gas'
    | 'low_on_gas'
    | 'gas_over_cap'
    | 'role_missing'
    | 'refunds_paused'
    | 'sending_stopped'
    | 'key_missing'
    | 'key_silent'
    | 'provider_out'
    | 'chain_silent'
    | 'journal_out'
    | 'token_unreadable'
  chain: string
  livemode: boolean
  /** The key or provider that it is about; null: the chain as a whole. */
  subject: string | null
  since: Date
  /** For operators: what it is, and what to do. */
  note: string
  cure: string
  /** What orders wait for meanwhile. */
  holdsUp: readonly HeldUp[]
}

export type HeldUp = 'payments' | 'settlements' | 'refunds'

/** A point of the checklist before real money comes. */
export interface GoLivePoint {
  name: string
  ok: boolean
  says: string
  /** How to close it, in one sentence; null where it is closed. */
  fix: string | null
}

export interface GoLiveQuestion {
  /** The guardian's address; null: it was not said. */
  guardian: string | null
  /** The process that is asked answers requests of the world. */
  answersRequests: boolean
}

export interface RailHealth {
  ok: boolean
  notes: string[]
  troubles: RailTrouble[]
  /** The chains it speaks of: a trouble of another chain may be known to another process. */
  chains: string[]
  /** Chains that other processes have watched lately. Left out: it cannot say. */
  elsewhere?: string[]
  /** Single ways that are out, where the rail as a whole is not. */
  sick?: SickRoute[]
}

/** A transfer that somebody made outside of Florin: what it has to be to count. */
export interface OutsideTransfer {
  livemode: boolean
  asset: AssetRef
  to: string
  amount: bigint
  /** Earlier ones are something else. */
  notBefore: Date
}

export interface OutsideSeen {
  txHash: string
  /** Names chain, transaction and position: each transfer counts once. */
  key: string
  from: string | null
}

export type OutsideVerdict =
  /** Not in a final block yet, or providers do not agree about it. */
  | { kind: 'waiting' }
  /** All that fit, in the order of the chain. */
  | { kind: 'found'; transfers: OutsideSeen[] }
  /** It is final, and does not contain such a transfer; in a sentence. */
  | { kind: 'other'; why: string }

/** Verifying what a merchant pays from an own wallet. */
export interface OutsideTransfers {
  /** Whether this asset can be verified. */
  sees(a: { livemode: boolean; asset: AssetRef }): boolean
  /** What a wallet opens, and the same as a transaction for one in the browser. */
  request(a: Omit<OutsideTransfer, 'notBefore'>): {
    uri: string
    transaction: { chainId: number; to: string; data: string; value: bigint } | null
  }
  /** @throws whatever keeps the chain from being read. */
  look(a: OutsideTransfer & { txHash: string }): Promise<OutsideVerdict>
  /**
   * Looks for such transfers from one address, in final blocks after `after`; null: it begins a little before now.
   * @returns what fits, and up to where it looked.
   */
  search(
    a: OutsideTransfer & { from: string; after: bigint | null },
  ): Promise<{ found: OutsideSeen[]; upTo: bigint | null }>
}

/** What a chain shows of a payment beside it, for people. */
export interface PaymentDetails {
  txHash: string
  outputIndex: number
  /** Units of the smallest kind for a virtual byte, a decimal string; null: not known. */
  feeRate: string | null
  /** Transactions in no block that it needs to be mined first. */
  unconfirmedParents: number | null
  /** The transaction that took its money. */
  replacedBy: string | null
  /** Blocks until the merchant's wallet can spend it; 0: it can. */
  spendableIn: number
  source: 'plain' | 'coinbase' | 'mweb'
}

export interface OrderDetails {
  payments: PaymentDetails[]
  /** What is owed to the operator for money that went straight to the merchant. */
  feeOwed: { asset: AssetRef; amount: bigint }[]
}

/** A refund as a transaction that the merchant's wallet only has to sign. */
export type RefundToSign =
  /** A partially signed transaction (BIP-174) in Base64, and what it costs. */
  { psbt: string; fee: bigint; why: null } | { psbt: null; fee: null; why: string }

export type RailAlarm =
  | 'refund_not_asked_for'
  | 'refund_announced_not_asked_for'
  /** A settlement that did not reach the leg's merchant in the leg's own asset. */
  | 'settlement_not_as_bound'
  /** A transaction that moves the order's money waits for too long; over when it is in a block. */
  | 'transaction_not_mined'
  /** Providers of the chain contradict each other about it, and nobody outvotes anybody; over when it is decided. */
  | 'providers_contradict'
  /** It came to an address that was given to two orders, and nothing says of which it is. */
  | 'payment_of_two_orders'
  /** One of merchant and payer could not be paid, and the other one may be from a certain time on; over when the money moved. */
  | 'push_failed'
  /** A third party says that it paid out, and nobody else has seen it; over when somebody has, or the merchant takes its word. */
  | 'settlement_unproven'
  /** What a third party says of the money is not so, as far as others can see; over when it is. */
  | 'provider_contradicted'

/**
 * What a rail reports. Facts of one order are applied in the order they were written, each once; a rail may
 * report the same thing again and must expect that it is then ignored.
 */
export type RailFact =
  | {
      kind: 'payment_seen'
      /** Names block and position, so a transfer that a reorg moved is another payment. */
      key: string
      legRef: string
      txHash: string
      outputIndex: number
      asset: AssetRef
      amount: bigint
      from: string | null
      height: bigint | null
      /** The block's time: what decides between on time and late. */
      seenAt: Date
      /** An amount of the asset up to this is not worth sending back; omitted: every amount is. */
      floor?: bigint
    }
  /** Announced, in no block yet: information, and nothing counts. The same key is reported again once it is mined. */
  | {
      kind: 'payment_unconfirmed'
      key: string
      legRef: string
      txHash: string
      outputIndex: number
      asset: AssetRef
      amount: bigint
      from: string | null
      /** When it was seen first: what decides between on time and late, also once it is mined. */
      seenAt: Date
      floor?: bigint
    }
  /** It will not be mined: another transaction took its money. */
  | { kind: 'payment_dropped'; key: string }
  | { kind: 'payment_confirmed'; key: string }
  | { kind: 'payment_orphaned'; key: string }
  | { kind: 'settlement_broadcast'; settlementId: string; txHash: string }
  /** The transaction left the chain again (a reorg); the rail will rebroadcast it. */
  | { kind: 'settlement_undone'; settlementId: string }
  | {
      kind: 'settlement_final'
      /** null: a third party pushed the money to the merchant, as the chain shows. */
      settlementId: string | null
      legRef: string
      txHash: string
      gross: bigint
      fee: bigint
      /** Read from the transfer to the merchant, in the settle asset. */
      amountOut: bigint
      /** Of a third party's payout: whether a second source saw it. Omitted: it is the rail's own chain. */
      proven?: boolean
      /** What the rail gave back of the leg in the same stroke, since it did not need it. */
      excess?: { amount: bigint; txHash: string | null; to: string }
    }
  /** A third party says that it paid the merchant, and nobody else has seen it. It is over with `settlement_final`. */
  | { kind: 'settlement_unproven'; legRef: string; txHash: string }
  | { kind: 'settlement_failed'; settlementId: string; failure: string }
  /** What was final in this transaction left the chain: the reorg went past the chain's rule. The rail offers it again. */
  | { kind: 'settlement_left'; legRef: string; txHash: string }
  /** `byWallet`: the merchant's own wallet has to make it; a payment URI that it opens. */
  | { kind: 'refund_proposed'; refundId: string; txHash: string | null; byWallet?: { uri: string } }
  | { kind: 'refund_succeeded'; refundId: string; txHash: string }
  /** Money of the leg went back to whom it is bound to, by a transaction that nobody here asked for. */
  | {
      kind: 'refunded_by_others'
      legRef: string
      txHash: string
      asset: AssetRef
      amount: bigint
      to: string
    }
  | { kind: 'refund_failed'; refundId: string; failure: string }
  /** As with settlements; the announcement of a refund is told of in the same way. */
  | { kind: 'refund_left'; legRef: string; txHash: string }
  /**
   * The chain shows something nobody here requested: needs human review, the order stays as it is.
   */
  | {
      kind: 'alarm_raised'
      what: RailAlarm
      chain: string
      /** Contract in lower case, or null for the native coin. */
      token: string | null
      amount: bigint
      /** Its actual or planned destination. */
      to: string | null
      txHash: string
      /** What is wrong, where `what` does not say all. */
      why: string | null
      /** What people need beside that, by its name in the evidence. */
      more?: Readonly<Record<string, string>>
    }
  /** What an alarm was about is over by itself. */
  | { kind: 'alarm_over'; what: RailAlarm; txHash: string }
  /** A rail that refunds on its own returned all that it held of the order. */
  | { kind: 'all_returned'; txHash: string; to: string | null }

export interface RefundAddress {
  address: string
  isPayAddress: boolean
}

export interface Rail {
  readonly capabilities: RailCapabilities
  /**
   * Whether this account of a chain signed this text. Omitted: accounts there sign nothing, so nobody can prove by
   * signature where a payment came from.
   */
  isSignedBy?(a: { chain: string; account: string; text: string; signature: string }): Promise<boolean>
  /** Whether it carries live money on any chain here. */
  readonly hasLiveChain: boolean
  /** Whether this rail carries from `pay` to `settle`. */
  carries(a: { livemode: boolean; pay: AssetRef; settle: AssetRef }): boolean
  /** Everything it takes or pays out in this mode, for lists and searches. Omitted: what `carries` says of the catalogue. */
  assets?(livemode: boolean): readonly CarriedAsset[]
  /** From what is known already, without asking anybody: cheap enough for a list. null: it cannot say. */
  estimate?(a: Pick<LegRequest, 'livemode' | 'pay' | 'settle' | 'amountUsdMicros' | 'feeBps'>): RouteEstimate | null
  /**
   * Quotes and opens a leg; idempotent by `legRef`; no transaction is open while it waits for the network.
   * @throws AppError amount_too_small, amount_too_large, no_price, rail_unavailable
   */
  open(request: LegRequest): Promise<OpenedLeg>
  /**
   * Which of these settlements should not be carried out now, by id. Asked before each is handed over, and again while
   * it is held. Omitted: none is ever held.
   */
  holds?(requests: readonly SettleRequest[]): Promise<ReadonlyMap<string, Hold>>
  /** Accepts settlements; idempotent by `settlementId`. Outcomes are reported as facts. */
  settle(requests: readonly SettleRequest[]): Promise<void>
  /** Accepts refunds; idempotent by `refundId`. */
  refund(requests: readonly RefundRequest[]): Promise<void>
  /**
   * Checks the chain itself once more before an order expires or is refunded; reports what it finds.
   * @param isEverywhere on every chain that has the order's addresses, not only where each should be paid.
   */
  recheck(orderRef: string, isEverywhere?: boolean): Promise<void>
  /**
   * What lies on the addresses of these legs, for comparing with the books. A leg that is in motion, or whose chain
   * cannot be read now, is left out: it is asked for again later.
   */
  holdings(legs: readonly HoldingQuestion[]): Promise<Holding[]>
  health(): Promise<RailHealth>
  /** A payer has the page of this order open: worth looking more often for a while. Cheap, and may do nothing. */
  attend?(orderRef: string): void
  /** The transaction that a payer's wallet says it sent on a leg: a hint, and no proof of anything. */
  hint?(a: { legRef: string; txHash: string }): Promise<void>
  /**
   * What an address that money should go back to is here: in the main network's form where it was written as this rail's
   * test network does, and whether it is one that orders are paid at. null: the rail has no word on this chain.
   */
  readRefundAddress?(a: { chain: string; livemode: boolean; text: string }): Promise<RefundAddress | null>
  /** Omitted: refunds are the rail's own, or go by a payment link alone. */
  refundToSign?(refundId: string): Promise<RefundToSign>
  /** Omitted: there is nothing more to say than what the order has. */
  details?(orderRef: string): Promise<OrderDetails>
  /** Transfers that merchants make themselves. Omitted: none can be verified. */
  readonly outside?: OutsideTransfers
  /** What is open before real money comes on this chain; null where it is not this rail's. Omitted: it moves none. */
  examine?(chain: string, asked: GoLiveQuestion): Promise<GoLivePoint[] | null>
}
