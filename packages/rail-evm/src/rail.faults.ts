// The rail suite over a real node, killed before each of its statements in turn.
import { after } from 'node:test'
import { railContract } from '../../server/src/rails/rail.contract.ts'
import { makeWorld } from './test/rail-world.fixture.ts'
import { stopNodes } from './test/world.fixture.ts'

after(stopNodes)

railContract('forwarder', makeWorld)
