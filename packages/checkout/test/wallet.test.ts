// Promises: a wallet is asked for exactly the order's transfer on the order's network or for nothing at all; every way a
// wallet says no becomes one fault; what extensions announce is taken with care.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Provider, watchWallets } from '../src/wallet/discover.ts'
import { networks } from '../src/wallet/networks.ts'
import { payByWallet } from '../src/wallet/pay.ts'
import { type Transfer, transactionOf } from '../src/wallet/transfer.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const to = '0x52908400098527886E0F7030069857D2E4169EE7'
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const txHash = `0x${'ab'.repeat(32)}`
const transfer: Transfer = { chainId: 8453, contract: usdc, to, amount: '49900000' }

test('the transaction is the token’s own transfer, or the coin itself', () => {
  assert.deepEqual(transactionOf(transfer, account), {
    from: account,
    to: usdc,
    value: '0x0',
    data: `0xa9059cbb000000000000000000000000${to.slice(2).toLowerCase()}${(49_900_000).toString(16).padStart(64, '0')}`,
    chainId: '0x2105',
  })
  assert.deepEqual(transactionOf({ ...transfer, contract: null, amount: '10' }, account), {
    ...{ from: account, to, value: '0xa', chainId: '0x2105' },
  })
})

test('what is no address or no amount never reaches a wallet', () => {
  const faulty: Partial<Transfer>[] = [
    { to: 'bc1q' },
    { to: `${to}00` },
    { contract: '0x12' },
    { amount: '0' },
    { amount: '-1' },
    { amount: String(2n ** 256n) },
  ]
  for (const part of faulty) assert.throws(() => transactionOf({ ...transfer, ...part }, account), RangeError)
  assert.throws(() => transactionOf(transfer, 'me'), RangeError)
})

test('every amount arrives in the calldata as it is', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), (amount) => {
      const { data = '' } = transactionOf({ ...transfer, amount: String(amount) }, account)
      assert.equal(data.length, 2 + 8 + 128)
      assert.equal(BigInt(`0x${data.slice(-64)}`), amount)
    }),
  )
})

type Answers = Record<string, unknown>

/** A wallet as EIP-1193 describes it: it answers as told and writes down what it was asked. */
function walletThat(answers: Answers, chain = '0x2105'): { provider: Provider; asked: string[]; sent: unknown[] } {
  const asked: string[] = []
  const sent: unknown[] = []
  let on = chain
  const usual: Answers = {
    eth_requestAccounts: [account],
    eth_getBalance: '0xde0b6b3a7640000',
    eth_call: `0x${(10n ** 12n).toString(16).padStart(64, '0')}`,
    eth_sendTransaction: txHash,
  }
  const provider: Provider = {
    async request({ method, params }) {
      asked.push(method)
      const answer = method in answers ? answers[method] : usual[method]
      if (answer instanceof Error) throw answer
      if (answer !== undefined && 'fault' in Object(answer)) throw (answer as { fault: unknown }).fault
      if (method === 'eth_chainId') return answer ?? on
      const [first] = params ?? []
      if (method === 'wallet_switchEthereumChain') on = (first as { chainId: string }).chainId
      if (method === 'eth_sendTransaction') sent.push(first)
      return answer ?? null
    },
  }
  return { provider, asked, sent }
}

const pay = async (provider: Provider, what = transfer) =>
  payByWallet(provider, what, { signal: new AbortController().signal, onStep: () => undefined })

const fault = (code: number, message = 'no') => ({ fault: { code, message } })

test('a wallet on the right network is asked once, for the exact transfer', async () => {
  const { provider, asked, sent } = walletThat({})
  assert.deepEqual(await pay(provider), { kind: 'sent', txHash })
  assert.deepEqual(sent, [transactionOf(transfer, account)])
  assert.ok(!asked.some((method) => method.startsWith('wallet_')))
})

test('a wallet on another network changes; one that does not know it is told what it is', async () => {
  const other = walletThat({}, '0x1')
  assert.equal((await pay(other.provider)).kind, 'sent')
  const stranger = walletThat({ wallet_switchEthereumChain: fault(4902) }, '0x1')
  assert.deepEqual(await pay(stranger.provider), { kind: 'fault', fault: 'network' })
  assert.ok(stranger.asked.includes('wallet_addEthereumChain'))
  assert.deepEqual(stranger.sent, [])
  const unknown = walletThat({ wallet_switchEthereumChain: fault(4902) }, '0x1')
  assert.deepEqual(await pay(unknown.provider, { ...transfer, chainId: 31337 }), { kind: 'fault', fault: 'network' })
  assert.ok(!unknown.asked.includes('wallet_addEthereumChain'))
  // It says yes and stays: money on the wrong network would be hard to get back.
  const liar = walletThat({ eth_chainId: '0x1' })
  assert.deepEqual(await pay(liar.provider), { kind: 'fault', fault: 'network' })
  assert.deepEqual(liar.sent, [])
})

test('each way of saying no is one fault, and nothing is sent before it', async () => {
  const cases: [Answers, string][] = [
    [{ eth_requestAccounts: fault(4001) }, 'rejected'],
    [{ eth_requestAccounts: [] }, 'rejected'],
    [{ eth_requestAccounts: fault(-32002) }, 'busy'],
    [{ eth_call: `0x${'0'.repeat(64)}` }, 'funds'],
    [{ eth_getBalance: '0x0' }, 'fee'],
    [{ eth_sendTransaction: fault(4001) }, 'rejected'],
    [{ eth_sendTransaction: fault(-32000, 'insufficient funds for gas * price + value') }, 'fee'],
    [{ eth_sendTransaction: fault(-32603, 'execution reverted: ERC20: transfer amount exceeds balance') }, 'funds'],
    [{ eth_sendTransaction: fault(-32603, 'User denied transaction signature') }, 'rejected'],
    [{ eth_sendTransaction: fault(-32603, 'transaction rejected by the node') }, 'unknown'],
    [{ eth_sendTransaction: 'done' }, 'unknown'],
    [{ eth_sendTransaction: { fault: 'odd' } }, 'unknown'],
    [{ eth_sendTransaction: { fault: { message: '', data: { originalError: { code: 4001 } } } } }, 'rejected'],
  ]
  for (const [answers, expected] of cases) {
    assert.deepEqual(
      await pay(walletThat(answers).provider),
      { kind: 'fault', fault: expected },
      JSON.stringify(answers),
    )
  }
  const native = { ...transfer, contract: null, amount: String(10n ** 18n) }
  assert.deepEqual(await pay(walletThat({}).provider, native), { kind: 'fault', fault: 'fee' })
  assert.deepEqual(await pay(walletThat({ eth_getBalance: '0x1' }).provider, native), { kind: 'fault', fault: 'funds' })
})

test('a wallet that cannot say what it holds is still asked to send', async () => {
  const blind = { eth_call: fault(-32601), eth_getBalance: fault(-32601) }
  assert.equal((await pay(walletThat(blind).provider)).kind, 'sent')
})

test('once the page went on, the wallet is asked for nothing more', async () => {
  const { provider, sent } = walletThat({})
  const leaving = new AbortController()
  const answer = await payByWallet(provider, transfer, {
    signal: leaving.signal,
    onStep: (step) => step === 'network' && leaving.abort(),
  })
  assert.deepEqual(answer, { kind: 'fault', fault: 'gone' })
  assert.deepEqual(sent, [])
})

test('announced wallets come before the one on the window, each once, and odd ones not at all', () => {
  const old = walletThat({}).provider
  const page = Object.assign(new EventTarget(), { ethereum: old })
  const wallets = watchWallets(page)
  let changes = 0
  assert.deepEqual(wallets.get(), [{ id: 'window.ethereum', name: null, icon: null, provider: old }])
  const { provider } = walletThat({})
  const announce = (detail: unknown): void => {
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  page.addEventListener('eip6963:requestProvider', () => {
    announce({ info: { uuid: 'a', name: ' Fox ', icon: 'data:image/svg+xml,<svg/>', rdns: 'x' }, provider })
    announce({ info: { uuid: 'a', name: 'Fox again', icon: '', rdns: 'x' }, provider })
    announce({ info: { uuid: 'b', name: 'Odd', icon: 'https://spy.example/i.png', rdns: 'x' }, provider })
    for (const odd of [null, 7, {}, { info: {}, provider }, { info: { uuid: 'c', name: 'No provider' } }]) announce(odd)
  })
  const stop = wallets.subscribe(() => changes++)
  assert.deepEqual(wallets.get(), [
    { id: 'a', name: 'Fox', icon: 'data:image/svg+xml,<svg/>', provider },
    { id: 'b', name: 'Odd', icon: null, provider },
  ])
  assert.equal(changes, 2)
  stop()
  announce({ info: { uuid: 'd', name: 'Late', icon: '', rdns: 'x' }, provider })
  assert.equal(wallets.get().length, 2)
})

test('a network is offered with https endpoints and under its own number', () => {
  for (const [id, network] of networks) {
    assert.equal(Number(network.chainId), id)
    for (const url of [...network.rpcUrls, ...network.blockExplorerUrls]) assert.equal(new URL(url).protocol, 'https:')
  }
})
