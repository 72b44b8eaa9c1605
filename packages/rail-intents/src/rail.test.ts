import { railContract } from '@florin/rail-kit/testing'
import { quickTest, sized } from '../../../scripts/sizes.ts'
import { makeWorld } from './test/rail-world.fixture.ts'

railContract({ kind: 'intents', custody: 'third-party' }, makeWorld, {
  killEvery: sized({ short: 23, full: 1 }),
  testFor: () => quickTest,
})
