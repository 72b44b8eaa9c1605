// The rail suite over a real node: what the sandbox promises, a chain keeps too.
import { after } from 'node:test'
import { railContract } from '../rail.contract.ts'
import { makeWorld } from './rail-world.fixture.ts'
import { stopNodes } from './world.fixture.ts'

after(stopNodes)

// Each kill costs a life of an order on the chain; rail.faults.ts kills before every statement.
railContract('forwarder', makeWorld, { killEvery: 8 })
