// The rail suite over a real node, killed before each of its statements in turn.
import { after } from 'node:test'
import { railContract } from '@florin/rail-kit/testing'
import { makeWorld } from './test/rail-world.fixture.ts'
import { stopNodes } from './test/world.fixture.ts'

after(stopNodes)

railContract({ kind: 'forwarder', custody: 'none' }, makeWorld)
