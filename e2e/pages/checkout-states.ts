// Every state of the checkout that a payer can meet, over the playground's examples: those of the order, and those of a
// wallet in the payer's browser.
import type { Page } from 'playwright-core'
import { type StateName, stateNames } from '../../packages/checkout-core/test/states.ts'

export interface CheckoutState {
  name: string
  /** The playground's example. */
  order: StateName
  /** What the payer's wallet does when it is asked. */
  wallet?: 'pays' | 'refuses' | 'waits'
  wallets?: number
  act?: (page: Page) => Promise<void>
}

const payByWallet = async (page: Page): Promise<void> => {
  await page.locator('.wallet .button').first().click()
}

export const checkoutStates: readonly CheckoutState[] = [
  ...stateNames.map((name) => ({ name, order: name })),
  {
    name: 'choose_through',
    order: 'choose_many',
    act: async (page) => {
      await page.getByRole('combobox', { name: 'Search coins and networks' }).fill('xlmb')
      await page.getByRole('option', { name: /XLMB Stellar/ }).click()
      await page.locator('.passes').waitFor()
    },
  },
  {
    name: 'pay_through_memo_taken',
    order: 'pay_through',
    act: async (page) => {
      await page.getByRole('button', { name: 'I will send it with the memo' }).click()
      await page.locator('.memo-box').waitFor()
    },
  },
  { name: 'wallet', order: 'pay', wallet: 'pays' },
  { name: 'wallet_choose', order: 'pay', wallet: 'pays', wallets: 2, act: payByWallet },
  { name: 'wallet_asking', order: 'pay', wallet: 'waits', act: payByWallet },
  {
    name: 'wallet_refused',
    order: 'pay',
    wallet: 'refuses',
    act: async (page) => {
      await payByWallet(page)
      await page.locator('.wallet .fault').waitFor()
    },
  },
  {
    name: 'wallet_sent',
    order: 'pay',
    wallet: 'pays',
    act: async (page) => {
      await payByWallet(page)
      await page.locator('.wallet.is-sent').waitFor()
    },
  },
]

/** Opens a state and waits until the script has taken the page over. */
export async function openCheckoutState(page: Page, origin: string, state: CheckoutState): Promise<void> {
  if (state.wallet !== undefined)
    await page.addInitScript(announceWallets, { how: state.wallet, n: state.wallets ?? 1 })
  await page.goto(`${origin}/pay/${state.order}`)
  await page.locator('.language').waitFor()
  if (state.wallet !== undefined) await page.locator('.wallet').waitFor()
  await state.act?.(page)
}

/** Runs in the page: wallets as EIP-6963 and EIP-1193 describe them. */
function announceWallets({ how, n }: { how: 'pays' | 'refuses' | 'waits'; n: number }): void {
  const answers: Record<string, unknown> = {
    eth_requestAccounts: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    eth_chainId: '0x2105',
    eth_getBalance: '0xde0b6b3a7640000',
    eth_call: `0x${'f'.repeat(12).padStart(64, '0')}`,
    eth_sendTransaction: `0x${'ab'.repeat(32)}`,
  }
  const request = async ({ method }: { method: string }): Promise<unknown> => {
    if (how === 'refuses') throw { code: 4001, message: 'refused' }
    if (how === 'waits' && method === 'eth_sendTransaction') return new Promise(() => undefined)
    return answers[method] ?? null
  }
  const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" rx="2" fill="#6b4ee6"/></svg>')}`
  window.addEventListener('eip6963:requestProvider', () => {
    for (const [index, name] of ['Fox', 'Rabbit'].slice(0, n).entries()) {
      const info = {
        uuid: `00000000-0000-4000-8000-00000000000${index}`,
        name,
        icon,
        rdns: `example.${name.toLowerCase()}`,
      }
      const detail = Object.freeze({ info, provider: { request } })
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    }
  })
}
