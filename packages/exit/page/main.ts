// The exit page: reads a proof, lets a wallet look at its address, shows what can be sent and sends it without any value.
import {
  type Call,
  chainIdOf,
  type Exit,
  findAnnounced,
  type Hex,
  look,
  mayBeAnnounced,
  pinned,
  readProof,
  type Sight,
  shown,
  standing,
  tokenWords,
  withAnnounced,
  ZERO,
} from '../src/index.ts'
import { findWallets, type Wallet } from './wallets.ts'
import { coins, moment, sentence } from './words.ts'

const get = <E extends HTMLElement>(id: string): E => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`there is no ${id}`)
  return found as E
}
const text = get<HTMLTextAreaElement>('text')
const fault = get('fault')
const facts = get('facts')
const status = get('status')
const list = get('list')

let exit: Exit | null = null
let wallet: Wallet | null = null

function show(element: HTMLElement, isShown: boolean): void {
  element.hidden = !isShown
}

function element(name: string, words: string, className = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = words
  if (className !== '') made.className = className
  return made
}

function take(given: string): void {
  exit = null
  show(facts, false)
  show(fault, false)
  show(get('wallets'), false)
  show(get('moves'), false)
  if (given.trim() === '') return
  try {
    exit = readProof(given)
  } catch (error) {
    fault.textContent = sentence(error)
    show(fault, true)
    return
  }
  const { route } = exit
  const rows = [
    ['Address', shown(exit.vault)],
    ['Chain', String(exit.chainId)],
    ['Merchant', shown(route.merchant)],
    ['Refund address', route.refundTo === ZERO ? 'none is bound' : shown(route.refundTo)],
    ['Coin', route.token === ZERO ? 'the native coin' : shown(route.token)],
    ['Fee', `at most ${route.feeBps / 100} % to ${shown(route.collector)}`],
    ['Anybody may send from', moment(route.openAfter)],
  ]
  facts.replaceChildren(...rows.flatMap(([name = '', value = '']) => [element('dt', name), element('dd', value)]))
  show(facts, true)
  show(get('wallets'), true)
}

async function connect(chosen: Wallet): Promise<void> {
  wallet = chosen
  if (exit === null) return
  await doing('Waiting for the wallet …', async () => {
    await chosen.provider.request({ method: 'eth_requestAccounts' })
    await refresh()
  })
}

/** Runs an act and tells what went wrong with it. */
async function doing(words: string, act: () => Promise<void>): Promise<void> {
  status.textContent = words
  try {
    await act()
  } catch (error) {
    status.textContent = sentence(error)
  }
}

async function refresh(said = ''): Promise<void> {
  if (exit === null || wallet === null) return
  const { provider } = wallet
  show(get('moves'), false)
  if ((await chainIdOf(provider)) !== exit.chainId) {
    // A wallet that cannot be moved stays where it is; money that was sent on the wrong chain is looked at there.
    const chainId = `0x${exit.chainId.toString(16)}`
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }).catch(() => undefined)
  }
  status.textContent = 'Looking at the chain …'
  const first = await look(provider, exit)
  if (first.fault !== null) {
    status.textContent = first.fault
    return
  }
  const { sight, missed } = await lookForAnnounced(exit, wallet, first)
  const [holding] = sight.holdings
  const on = sight.chainId === exit.chainId ? '' : ` This is chain ${sight.chainId}, not ${exit.chainId}.`
  const lies = holding === undefined ? '' : await coinsOf(holding.token, holding.units)
  status.textContent = `${said}The contracts are the ones that this page knows.${on} On the address lies ${lies}.${missed}`
  await showMoves(exit, sight)
}

/** Refunds that were announced stand in the chain's logs alone; a wallet that does not look through them loses the rest nothing. */
async function lookForAnnounced(
  of: Exit,
  { provider }: Wallet,
  sight: Sight,
): Promise<{ sight: Sight; missed: string }> {
  if (!mayBeAnnounced(of, sight.holdings)) return { sight, missed: '' }
  const onProgress = (done: number): void => {
    status.textContent = `Looking through seven days of the chain for announced refunds: ${done} % …`
  }
  try {
    const found = await findAnnounced(provider, {
      ...{ factory: of.factory, vaults: [of.vault], block: sight.block, onProgress },
    })
    return { sight: withAnnounced(of, sight, await standing(provider, of, { found, block: sight.block })), missed: '' }
  } catch (error) {
    return { sight, missed: ` Refunds that were announced could not be looked for: ${sentence(error)}` }
  }
}

async function coinsOf(token: Hex, units: bigint): Promise<string> {
  return coins(token, units, token === ZERO || wallet === null ? null : await tokenWords(wallet.provider, token))
}

async function showMoves(of: Exit, sight: Sight): Promise<void> {
  const open = sight.calls.filter((call) => call.by === 'anybody')
  list.replaceChildren(...(await Promise.all(open.map((call) => moveBox(of, sight, call)))))
  if (open.length === 0) list.replaceChildren(element('p', 'Nothing that anybody could move.'))
  show(get('moves'), true)
}

async function moveBox(of: Exit, sight: Sight, call: Call): Promise<HTMLElement> {
  const box = element('div', '', 'move')
  const payer = call.name === 'executeRefund' ? 'the announced address' : 'the refund address'
  const to = call.receiver === 'merchant' ? 'the merchant' : payer
  const until = call.closesAt === null ? '' : `; until ${moment(call.closesAt)}`
  const byName = call.isByName
    ? '. It covers what the merchant asked for: send this only where the merchant agrees'
    : ''
  const fee = call.fee === 0n ? '' : `, of it ${await coinsOf(call.token, call.fee)} fee`
  const otherwise = call.otherwise === null ? '' : `; where that fails twice, a week apart, to ${shown(call.otherwise)}`
  const isOpen = sight.block.time >= call.opensAt
  const button = element(
    'button',
    isOpen ? 'Send with the wallet' : `Opens ${moment(call.opensAt)}`,
  ) as HTMLButtonElement
  button.disabled = !isOpen
  button.addEventListener('click', () => void doing('Waiting for the wallet …', () => send(of, sight, call)))
  box.append(
    element(
      'p',
      `${call.name}: ${await coinsOf(call.token, call.units)} to ${to} ${shown(call.to)}${fee}${otherwise}${until}${byName}`,
    ),
    element('p', `What the wallet is asked to sign: to ${shown(of.factory)}, value 0, data`),
    element('code', call.data, 'data'),
    button,
  )
  return box
}

async function send(of: Exit, sight: Sight, call: Call): Promise<void> {
  if (wallet === null) return
  const { provider } = wallet
  // The wallet may have moved to another chain since, where the same address is somebody else's.
  if ((await chainIdOf(provider)) !== sight.chainId) throw new Error('The wallet is on another chain now. Look again.')
  const [from] = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
  const transaction = { from, to: of.factory, value: '0x0', data: call.data }
  const hash = String(await provider.request({ method: 'eth_sendTransaction', params: [transaction] }))
  status.textContent = `Sent: ${hash}. Waiting for a block …`
  for (;;) {
    const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (typeof receipt === 'object' && receipt !== null && 'status' in receipt) {
      await refresh(receipt.status === '0x1' ? `Done by ${hash}. ` : `The transaction ${hash} was reverted. `)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

text.addEventListener('input', () => take(text.value))
get<HTMLInputElement>('file').addEventListener('change', async (event) => {
  const [file] = (event.target as HTMLInputElement).files ?? []
  if (file === undefined) return
  text.value = await file.text()
  take(text.value)
})
findWallets((wallets) => {
  show(get('no-wallet'), wallets.length === 0)
  const buttons = wallets.map((one) => {
    const button = element('button', `Look with ${one.name}`)
    button.addEventListener('click', () => void connect(one))
    return button
  })
  get('connect').replaceChildren(...buttons)
})
get('pins').textContent = `Known code: factory ${pinned.factory}, vault ${pinned.vault}.`
const filled = JSON.parse(get('proof').textContent ?? 'null') as unknown
if (filled !== null) {
  text.value = JSON.stringify(filled, null, 2)
  take(text.value)
}
