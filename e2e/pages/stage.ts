// What a test of the pages plays on: a Florin from a fresh `npm start`, its mail, a shop, and a browser. What was opened
// is closed, also when the opening of another part failed.
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../packages/checkout/test/playground/browser.ts'
import { type Devnet, startDevnet } from '../../packages/contracts/script/devnet.ts'
import { type Florin, startFlorin } from '../florin.ts'
import { type Inbox, startInbox } from '../merchant.ts'
import { openShop, type Shop } from './shop.ts'

export interface Stage {
  florin: Florin
  inbox: Inbox
  shop: Shop
  browser: Browser
  close(): Promise<void>
}

/** @param environment settings of Florin */
export async function openStage(environment: Record<string, string> = {}): Promise<Stage> {
  const closers: (() => Promise<unknown>)[] = []
  const opened = async <T extends { close(): Promise<unknown> }>(opening: Promise<T>): Promise<T> => {
    const part = await opening
    closers.unshift(() => part.close())
    return part
  }
  const close = async (): Promise<void> => {
    for (const each of closers) await each()
  }
  try {
    const inbox = await opened(startInbox())
    const shop = await opened(openShop())
    const florin = await opened(startFlorin({ SMTP_URL: inbox.smtpUrl, ...environment }, 'npm start'))
    const browser = await opened(launchBrowser())
    return { florin, inbox, shop, browser, close }
  } catch (error) {
    await close()
    throw error
  }
}

export interface ChainStage {
  stage: Stage
  devnet: Devnet
  close(): Promise<void>
}

/** The same beside a local chain, which its Florin carries test money on. */
export async function openChainStage(): Promise<ChainStage> {
  const devnet = await startDevnet()
  try {
    const stage = await openStage({ RAILS_CONFIG: devnet.railsConfig })
    return {
      stage,
      devnet,
      async close() {
        await stage.close()
        await devnet.stop()
      },
    }
  } catch (error) {
    await devnet.stop()
    throw error
  }
}
