import { sized } from '../../../scripts/sizes.ts'
import { railContract } from '../../server/src/rails/rail.contract.ts'
import { makeWorld } from './test/rail-world.fixture.ts'

railContract('utxo', makeWorld, {
  killEvery: sized({ full: 1, short: 83 }),
  paysWallet: true,
  quick: /^too much|^the whole amount late|a reorg takes away|^killed/,
})
