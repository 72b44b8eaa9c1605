import { sized } from '../../../scripts/sizes.ts'
import { railContract } from '../../server/src/rails/rail.contract.ts'
import { makeWorld } from './test/rail-world.fixture.ts'

railContract('intents', makeWorld, { killEvery: sized({ short: 23, full: 1 }), byProvider: true })
