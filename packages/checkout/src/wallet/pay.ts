// Paying through a wallet: connect, be on the right network, hold enough, send exactly what the order asks for.
// Nothing is sent unless every step before it held; a fault says which step, and whether money may have moved.
import type { Provider } from './discover.ts'
import { networks } from './networks.ts'
import { balanceCall, hexOf, type Transfer, transactionOf } from './transfer.ts'

/** What the wallet is asked for right now. */
export type WalletStep = 'connect' | 'network' | 'confirm'

/**
 * `rejected`: the payer declined. `network`: the wallet is on another one and did not change. `funds`: too little of the
 * asset. `fee`: nothing to pay the network's fee with. `busy`: it waits for an earlier answer. `gone`: the page went on.
 * `unknown`: the wallet says neither yes nor no, so it has to be looked at before another try.
 */
export type WalletFault = 'rejected' | 'network' | 'funds' | 'fee' | 'busy' | 'gone' | 'unknown'

export type WalletPayment = { kind: 'sent'; txHash: string } | { kind: 'fault'; fault: WalletFault }

class Fault extends Error {
  readonly fault: WalletFault
  constructor(fault: WalletFault) {
    super(fault)
    this.fault = fault
  }
}

/**
 * Asks the wallet for the transfer; the payer confirms it there. Total: whatever a wallet does is an answer.
 * @param signal aborted when the leg on the page is no longer the one to pay: nothing is asked for after that.
 * @example await payByWallet(wallet.provider, transfer, { signal, onStep: setStep })
 */
export async function payByWallet(
  provider: Provider,
  transfer: Transfer,
  a: { signal: AbortSignal; onStep(step: WalletStep): void },
): Promise<WalletPayment> {
  const step = (name: WalletStep): void => {
    if (a.signal.aborted) throw new Fault('gone')
    a.onStep(name)
  }
  try {
    step('connect')
    const account = await connect(provider)
    step('network')
    await bringTo(provider, transfer.chainId)
    await checkFunds(provider, transfer, account)
    step('confirm')
    const transaction = transactionOf(transfer, account)
    const txHash = await provider.request({ method: 'eth_sendTransaction', params: [transaction] })
    if (typeof txHash !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(txHash)) throw new Fault('unknown')
    return { kind: 'sent', txHash }
  } catch (error) {
    return { kind: 'fault', fault: faultOf(error) }
  }
}

async function connect(provider: Provider): Promise<string> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  const account: unknown = Array.isArray(accounts) ? accounts[0] : null
  if (typeof account !== 'string') throw new Fault('rejected')
  return account
}

async function isOn(provider: Provider, chainId: number): Promise<boolean> {
  return numberOf(await provider.request({ method: 'eth_chainId' })) === BigInt(chainId)
}

/** Wallets that answer yes and stay where they are exist, so what counts is where the wallet then is. */
async function bringTo(provider: Provider, chainId: number): Promise<void> {
  if (await isOn(provider, chainId)) return
  const wanted = [{ chainId: hexOf(chainId) }]
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: wanted })
  } catch (error) {
    const fault = faultOf(error)
    if (fault === 'rejected' || fault === 'busy') throw error
    const network = networks.get(chainId)
    if (network === undefined) throw new Fault('network')
    await provider.request({ method: 'wallet_addEthereumChain', params: [network] })
    // Some wallets add a network without changing to it.
    if (!(await isOn(provider, chainId))) {
      await provider.request({ method: 'wallet_switchEthereumChain', params: wanted })
    }
  }
  if (!(await isOn(provider, chainId))) throw new Fault('network')
}

/** A wallet that cannot say what it holds is asked all the same: it judges for itself before it sends. */
async function checkFunds(provider: Provider, transfer: Transfer, account: string): Promise<void> {
  const ask = async (method: string, params: readonly unknown[]): Promise<bigint | null> =>
    numberOf(await provider.request({ method, params }).catch(() => null))
  const coins = await ask('eth_getBalance', [account, 'latest'])
  const due = BigInt(transfer.amount)
  if (transfer.contract === null) {
    if (coins !== null && coins < due) throw new Fault('funds')
    if (coins === due) throw new Fault('fee')
    return
  }
  const tokens = await ask('eth_call', [balanceCall(transfer.contract, account), 'latest'])
  if (tokens !== null && tokens < due) throw new Fault('funds')
  if (coins === 0n) throw new Fault('fee')
}

function numberOf(answer: unknown): bigint | null {
  if (typeof answer === 'number') return BigInt(answer)
  return typeof answer === 'string' && /^0x[0-9a-f]+$/i.test(answer) ? BigInt(answer) : null
}

/** Codes of EIP-1193, EIP-1474 and EIP-3326; where a wallet has none that says it, its words. */
function faultOf(error: unknown): WalletFault {
  if (error instanceof Fault) return error.fault
  const { code, message } = readFault(error)
  switch (code) {
    case 4001:
    case 4100:
    case 'ACTION_REJECTED':
      return 'rejected'
    case 4901:
    case 4902:
      return 'network'
    case -32002:
      return 'busy'
  }
  if (/transfer amount exceeds|insufficient balance/i.test(message)) return 'funds'
  if (/insufficient funds|gas required exceeds/i.test(message)) return 'fee'
  // What a node rejects is not what a person rejects: only that is sure to have sent nothing.
  if (/user (?:has )?(?:rejected|denied|cancell?ed)|(?:rejected|cancell?ed) by (?:the )?user/i.test(message))
    return 'rejected'
  return 'unknown'
}

/** Some wallets wrap the fault of another. */
function readFault(error: unknown): { code: unknown; message: string } {
  if (typeof error !== 'object' || error === null) return { code: null, message: String(error) }
  const inner = 'data' in error && typeof error.data === 'object' && error.data !== null ? error.data : null
  const original = inner !== null && 'originalError' in inner ? readFault(inner.originalError) : null
  const message = 'message' in error && typeof error.message === 'string' ? error.message : ''
  return {
    code: original?.code ?? ('code' in error ? error.code : null),
    message: `${message} ${original?.message ?? ''}`,
  }
}
