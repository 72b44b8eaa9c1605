// What a revert means, for every shape it can have.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { encodeAbiParameters, encodeErrorResult, type Hex, parseAbi, zeroAddress } from 'viem'
import { decodeFailure, depositVaultAbi, payFactoryAbi } from '../src/index.ts'

const words = encodeErrorResult({
  abi: parseAbi(['error Error(string)']),
  errorName: 'Error',
  args: ['Pausable: paused'],
})
const transferFailed = (reason: Hex) =>
  encodeErrorResult({
    abi: depositVaultAbi,
    errorName: 'TokenTransferFailed',
    args: [zeroAddress, zeroAddress, 7n, reason],
  })

it('names the error, and gives the words of the token where it had some', () => {
  const tooEarly = encodeErrorResult({ abi: payFactoryAbi, errorName: 'TooEarly', args: [9n, 8n] })
  assert.deepEqual(decodeFailure(tooEarly), { error: 'TooEarly', args: [9n, 8n], words: null })
  assert.equal(decodeFailure(transferFailed(words)).words, 'Pausable: paused')
  assert.deepEqual(decodeFailure(words), { error: 'Error', args: ['Pausable: paused'], words: 'Pausable: paused' })
})

it('has an answer for everything else', () => {
  const no = encodeAbiParameters([{ type: 'bool' }], [false])
  assert.deepEqual(decodeFailure(transferFailed(no)).words, null)
  assert.deepEqual(decodeFailure(transferFailed('0x')).words, null)
  assert.equal(decodeFailure('0x').error, 'OutOfGas')
  for (const data of ['0x12', '0xdeadbeef', `${words.slice(0, 40)}`] as Hex[]) {
    assert.equal(decodeFailure(data).error, 'Unknown')
  }
})
