// Promises: a proof is read from wherever it stands, and one that was changed anywhere is refused with a sentence.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getAddress } from 'viem'
import { addressOf, BadProof, checkProof, readProof, shown, writeProof } from '../src/index.ts'
import { anExit, aProof } from './proofs.ts'

test('a proof, an order, a webhook and a checkout are all read; writing one again gives the same', () => {
  const proof = aProof()
  for (const holder of [
    proof,
    { proof },
    { pay: { proof } },
    { id: 'evt_1', order: { order_no: 'ord_1', pay: { proof } } },
  ]) {
    assert.deepEqual(readProof(JSON.stringify(holder)), anExit())
  }
  assert.deepEqual(writeProof(readProof(JSON.stringify(proof))), proof)
})

const otherCase = (letter: string): string => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase())

test('whatever is changed in a proof, it is refused', () => {
  const proof = aProof()
  const other = '0x52908400098527886E0F7030069857D2E4169EE7'
  const changed: [object, RegExp][] = [
    [{ ...proof, vault: other }, /vault is not the address of this route/],
    [{ ...proof, factory: other }, /impl is not the vault code of this factory/],
    [{ ...proof, impl: other }, /impl is not the vault code of this factory/],
    [{ ...proof, chain_id: 1 }, /chain_id/],
    [{ ...proof, kind: 'utxo-path' }, /kind "utxo-path"/],
    [{ ...proof, route: undefined }, /route is missing/],
    [{ ...proof, vault: proof.vault.replace(/(?<=^0x\d*)[a-f]/i, otherCase) }, /checksum/],
  ]
  for (const [field, value] of Object.entries(proof.route)) {
    const instead =
      field === 'ref' ? `0x${'00'.repeat(32)}` : value.startsWith('0x') ? other : String(BigInt(value) + 1n)
    changed.push([{ ...proof, route: { ...proof.route, [field]: instead } }, /chain_id|vault is not the address/])
    changed.push([{ ...proof, route: { ...proof.route, [field]: 7 } }, new RegExp(`route\\.${field}`)])
    changed.push([{ ...proof, route: { ...proof.route, [field]: 'x' } }, new RegExp(`route\\.${field}`)])
  }
  for (const [value, sentence] of changed) {
    assert.throws(
      () => checkProof(value),
      (error) => error instanceof BadProof && sentence.test(error.message),
      JSON.stringify(value),
    )
  }
  const tooLarge = { ...proof, route: { ...proof.route, feeBps: '70000' } }
  assert.throws(() => checkProof(tooLarge), BadProof)
  for (const text of ['', 'null', '[]', '{}', '"x"', '{"pay":null}', '{"order":{"pay":{"proof":null}}}']) {
    assert.throws(() => readProof(text), BadProof, text)
  }
})

test('addresses are shown with the checksum that the rest of the field uses, and a mistyped one is refused', () => {
  for (const exit of [anExit(), anExit({ feeBps: 3 })]) assert.equal(shown(exit.vault), getAddress(exit.vault))
  const right = '0x52908400098527886E0F7030069857D2E4169EE7'
  assert.equal(addressOf(right, 'x'), right.toLowerCase())
  assert.equal(addressOf(`0x${'A'.repeat(40)}`, 'x'), `0x${'a'.repeat(40)}`)
  assert.throws(() => addressOf('0x8617E340B3D01FA5F11F306F4090FD50E238070d', 'x'), /checksum/)
})
