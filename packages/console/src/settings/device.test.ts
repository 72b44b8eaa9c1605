// Promises of the name: common browsers are told apart, and what is unknown is said to be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceName } from './device.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test('browsers and systems are told apart', () => {
  assert.equal(
    deviceName(`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/140.0.0.0 Safari/537.36`),
    'Chrome on Linux',
  )
  assert.equal(
    deviceName(`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`),
    'Edge on Windows',
  )
  assert.equal(
    deviceName(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1',
    ),
    'Safari on iOS',
  )
  assert.equal(
    deviceName('Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0'),
    'Firefox on macOS',
  )
})

test('what says less is named for what it says', () => {
  assert.equal(deviceName('curl/8.5.0'), 'curl')
  assert.equal(deviceName(null), 'Unknown device')
  assert.equal(deviceName('nonsense'), 'Unknown device')
})
