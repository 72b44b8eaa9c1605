import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PublicClient } from 'viem'
import { askInTurn } from './in-turn.ts'

/** Clients that are nothing but their names, which is all that is looked at. */
const readersOf = (...names: string[]) =>
  names.map((name) => ({ voice: name.slice(-1), isOk: !name.startsWith('!'), client: name as unknown as PublicClient }))

const who = (client: PublicClient): Promise<string> => Promise.resolve(client as unknown as string)

test('whoever else answers now, the second scan asks another voice than the first', async () => {
  const crowds = [
    ['a', 'b'],
    ['a', 'b', 'c'],
    ['!a', 'b'],
    ['a', '!b'],
    ['!a', '!b', 'c'],
    ['c', 'a', '!b'],
  ]
  for (const first of crowds) {
    for (const second of crowds) {
      for (let turn = 0; turn < 12; turn++) {
        const told = await askInTurn(readersOf(...first), { turn, heard: new Set() }, who)
        const again = await askInTurn(readersOf(...second), { turn: turn + 1, heard: new Set([told.saidBy]) }, who)
        assert.notEqual(again.saidBy, told.saidBy, `${first} then ${second} at ${turn}`)
      }
    }
  }
})

test('over blocks everybody that is ok is asked first in turn, the others after them, who told it before at last', async () => {
  const asked = async (turn: number, heard: readonly string[]): Promise<string[]> => {
    const names: string[] = []
    const fails = async (client: PublicClient): Promise<never> => {
      names.push(await who(client))
      throw new Error(`no ${names.at(-1)}`)
    }
    const all = readersOf('a', '!b', 'c')
    await assert.rejects(askInTurn(all, { turn, heard: new Set(heard) }, fails), /^Error: no /)
    return names
  }
  assert.deepEqual(await asked(0, []), ['a', 'c', '!b'])
  assert.deepEqual(await asked(1, []), ['c', 'a', '!b'])
  assert.deepEqual(await asked(1, ['c']), ['a', '!b', 'c'])
  await assert.rejects(askInTurn([], { turn: 0, heard: new Set() }, who), /no provider can be asked now/)
})
