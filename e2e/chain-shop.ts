// A merchant with a Florin beside real EVM nodes, for the tests of a file. What started is ended, also where the rest did not start.
import { type Devnet, startDevnet } from '../packages/contracts/script/devnet.ts'
import { type Florin, startFlorin } from './florin.ts'
import { type Inbox, type Merchant, signUp, startInbox } from './merchant.ts'

export interface ChainShop {
  florin: Florin
  inbox: Inbox
  shop: Merchant
  devnet: Devnet
  /** Beside the first. */
  others: Devnet[]
  close(): Promise<void>
}

/** @param a.rails what the rails file says beside the chains. @param a.others chains that a node of their own stands in for */
export async function startChainShop(
  email: string,
  a: { rails?: object; env?: Record<string, string>; others?: readonly Parameters<typeof startDevnet>[0][] } = {},
): Promise<ChainShop> {
  const devnets: Devnet[] = []
  let inbox: Inbox | null = null
  let florin: Florin | null = null
  const close = async (): Promise<void> => {
    await florin?.close()
    await inbox?.close()
    for (const devnet of devnets) await devnet.stop()
  }
  try {
    const devnet = await startDevnet()
    devnets.push(devnet)
    for (const other of a.others ?? []) devnets.push(await startDevnet(other))
    inbox = await startInbox()
    const chains = Object.assign({}, ...devnets.map(chainsOf)) as object
    const railsConfig = JSON.stringify({ chains, ...a.rails })
    florin = await startFlorin({ SMTP_URL: inbox.smtpUrl, RAILS_CONFIG: railsConfig, ...a.env })
    const shop = await signUp(florin.url, inbox, email)
    return { florin, inbox, shop, devnet, others: devnets.slice(1), close }
  } catch (error) {
    await close()
    throw error
  }
}

const chainsOf = ({ railsConfig }: Devnet): object => (JSON.parse(railsConfig) as { chains: object }).chains
