import { railContract } from '@florin/rail-kit/testing'
import { quickTest, sized, slowTest } from '../../../scripts/sizes.ts'
import { makeWorld } from './test/rail-world.fixture.ts'

const isQuick = (promise: string) => /^too much|^the whole amount late|a reorg takes away|^killed/.test(promise)
railContract({ kind: 'utxo', custody: 'none', settlesTo: 'account' }, makeWorld, {
  killEvery: sized({ full: 1, short: 83 }),
  testFor: (promise) => (isQuick(promise) ? quickTest : slowTest),
})
