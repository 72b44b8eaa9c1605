// What people do with a chain behind the pages, on one Florin, one chain and one browser: the owner of a shop from an empty
// install on, then payers with wallets.
import { after, before } from 'node:test'
import { ownerWalk } from './owner-walk.ts'
import { type ChainStage, openChainStage } from './stage.ts'
import { walletWalk } from './wallet-walk.ts'

let scene: ChainStage

before(async () => {
  scene = await openChainStage()
})
after(() => scene?.close())

ownerWalk(() => scene)
walletWalk(() => scene)
