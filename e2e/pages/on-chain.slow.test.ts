// What people do with a chain behind the pages, on one Florin, one chain and one browser: the owner of a shop from an empty
// install on, then payers with wallets.
import { after } from 'node:test'
import { signUp } from '../merchant.ts'
import { ownerWalk } from './owner-walk.ts'
import { openChainStage } from './stage.ts'
import { sizes, visit } from './visitor.ts'
import { walletWalk } from './wallet-walk.ts'

const scene = await openChainStage()
const { florin, inbox, browser } = scene.stage
const owner = await visit(browser, [florin.url], { ...sizes.desk, reducedMotion: 'reduce' })
owner.page.setDefaultTimeout(120_000)
after(async () => {
  await owner.close()
  await scene.close()
})
// Before the first test, as each asks for the next code that comes.
const merchant = await signUp(florin.url, inbox, 'payer@shop.example')

ownerWalk(scene, owner)
walletWalk(scene, merchant)
