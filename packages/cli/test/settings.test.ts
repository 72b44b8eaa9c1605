// Promises: settings come from where the help says; every mistake is told in one sentence with the right exit code; no API key
// is ever printed; colours are for people only.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { readMoment, readReceiver } from '../src/words.ts'
import { aPlace, apiKey, builtProgram } from './program.ts'
import { aService } from './service.ts'

test('the environment, a file, an option: the nearer wins', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, 'http://127.0.0.1:9')
  await writeFile(
    join(place.home, 'shop.env'),
    `FLORIN_API_KEY=${apiKey}\nFLORIN_BASE_URL="${service.baseUrl}" # here\n`,
  )
  const empty = { FLORIN_API_KEY: undefined, FLORIN_BASE_URL: '' }
  const list = ['orders', 'list', '--json']
  const byFile = await place.run([...list, '--dotenv', 'shop.env'], empty)
  assert.equal(byFile.code, 0, byFile.stderr)
  const byOption = await place.run([...list, '--base-url', `${service.baseUrl}/`])
  assert.equal(byOption.code, 0, byOption.stderr)
  const environmentFirst = await place.run([...list, '--dotenv', 'shop.env'], { FLORIN_API_KEY: 'florin_test_wrong' })
  assert.equal(environmentFirst.code, 1)
})

const live = `florin_live_${'Q'.repeat(38)}`
for (const [words, environment, code, sentence] of [
  [['orders', 'list'], { FLORIN_API_KEY: undefined }, 1, /^florin: FLORIN_API_KEY is not set\. Make a test key/],
  [['orders', 'list'], { FLORIN_API_KEY: 'whsec_x' }, 2, /^florin: FLORIN_API_KEY is a webhook secret/],
  [['orders', 'list'], { FLORIN_API_KEY: `${apiKey} x` }, 2, /^florin: FLORIN_API_KEY has white space/],
  [['orders', 'list', '--base-url', 'pay.shop.example'], {}, 2, /^florin: The address of Florin \(--base-url\) takes/],
  [['orders', 'list', '--dotenv', 'none.env'], {}, 2, /^florin: There is no file none\.env\.$/],
  [['orders', 'list', '--limit', '101'], {}, 2, /^florin: --limit takes a whole number from 1 to 100\.$/],
  [['orders', 'list', '--limit'], {}, 2, /^florin: --limit takes a value: --limit N\.$/],
  [['orders', 'list', '--json=yes'], {}, 2, /^florin: --json takes no value/],
  [['orders', 'list', '--status', 'paid'], {}, 2, /^florin: --status takes one of pending, processing, success/],
  [['orders', 'list', '--from', 'yesterday'], {}, 2, /^florin: --from takes a time such as/],
  [['orders', 'list', '--colour'], {}, 2, /^florin: florin orders list has no option --colour\. See/],
  [['orders', 'get'], {}, 2, /^florin: ORDER_NO is missing: florin orders get ORDER_NO$/],
  [['orders', 'get', 'ord_1', 'ord_2'], {}, 2, /^florin: "ord_2" is one word too many/],
  [['orders', 'get', 'ord/../1'], {}, 2, /^florin: ORDER_NO is not an id such as the service gives out\.$/],
  [['orders', 'create'], {}, 2, /^florin: --amount is missing/],
  [['orders', 'create', '--amount', '5', '--metadata', 'x'], {}, 2, /^florin: --metadata takes KEY=VALUE/],
  [['orders', 'lsit'], {}, 2, /^florin: There is no command "orders lsit"\. After orders comes one of: list, get/],
  [['order'], {}, 2, /^florin: There is no command "order"\. See florin --help\.$/],
  [['--base-url', 'orders', 'list'], {}, 2, /^florin: Options come after the command/],
  [['trigger', 'order.paid'], {}, 2, /^florin: "order\.paid" is no event\. There are order\.processing/],
  [['listen', '--events', 'success,paid'], {}, 2, /^florin: "paid" is no event/],
  [['listen', '--forward-to', 'ftp://x'], {}, 2, /^florin: --forward-to takes the address of a receiver/],
  [['listen', '--secret', live, '--forward-to', '4000'], {}, 2, /^florin: --secret is an API key/],
  [['deliveries', 'replay'], {}, 2, /^florin: --from is missing/],
  [['deliveries', 'replay', '--from', '2h', '--to', '3h'], {}, 2, /^florin: --from must lie before --to\.$/],
  [['verify', '4000/hook'], {}, 2, /^florin: Say which secret the receiver holds/],
  [['orders', 'list', `--${live}`], {}, 2, /^florin: florin orders list has no option --florin_live_…\./],
  [['orders', 'get', 'ord_1', live], {}, 2, /^florin: "florin_live_…" is one word too many/],
] as const) {
  test(`a mistake is one sentence: florin ${words.join(' ').replace(live, 'KEY')} ${JSON.stringify(environment)}`, async (t) => {
    const { code: ended, stdout, stderr } = await (await aPlace(t)).run(words, environment)
    assert.match(stderr, sentence)
    assert.equal(stderr.split('\n').length, 1)
    assert.deepEqual([ended, stdout], [code, ''])
    assert.ok(!stderr.includes(live) && !stderr.includes(apiKey))
  })
}

test('with --json a failure is JSON too', async (t) => {
  const service = await aService(t)
  const { code, stderr } = await (await aPlace(t, service.baseUrl)).run(['orders', 'get', 'ord_1', '--json'])
  assert.equal(code, 1)
  assert.deepEqual(JSON.parse(stderr), {
    error: {
      code: 'order_not_found',
      message: 'There is no such order.',
      status: 404,
      param: null,
      request_id: 'req_1',
    },
  })
})

test('no colour reaches a pipe', async (t) => {
  const service = await aService(t)
  service.order({ status: 'failed' })
  const place = await aPlace(t, service.baseUrl)
  for (const args of [['orders', 'list'], ['orders', 'get', service.orders[0]?.order_no ?? ''], ['nothing']]) {
    const { stdout, stderr } = await place.start(args).ended
    assert.ok(!`${stdout}${stderr}`.includes('\u001b'))
  }
})

test('a reader that goes away early is no failure', async (t) => {
  const service = await aService(t)
  for (let n = 0; n < 100; n++) service.order({ description: 'x'.repeat(500) })
  const place = await aPlace(t, service.baseUrl)
  const pipe = `"$0" "$1" orders list --limit 100 --json | head -c 10; echo " \${PIPESTATUS[0]}"`
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', pipe, process.execPath, await builtProgram()], {
    env: { HOME: place.home, PATH: process.env.PATH, FLORIN_API_KEY: apiKey, FLORIN_BASE_URL: service.baseUrl },
    timeout: 120_000,
  })
  assert.deepEqual([stdout, stderr], ['{\n  "data" 0\n', ''])
})

test('times are read as instants or as how long ago', () => {
  const now = new Date('2026-02-01T12:00:00Z')
  const cases = { '90m': '2026-02-01T10:30:00Z', '2d': '2026-01-30T12:00:00Z', '2026-01-31': '2026-01-31T00:00:00Z' }
  for (const [text, instant] of Object.entries({ ...cases, '2026-01-31T10:00:00+02:00': '2026-01-31T08:00:00Z' })) {
    assert.equal(readMoment('--from', text, now).getTime(), Date.parse(instant))
  }
  for (const text of ['', '2026', '1w', '-1h', '2026-02-30T', 'now', '2026-01-31 10:00']) {
    assert.throws(() => readMoment('--from', text, now), { name: 'UsageFailure' })
  }
})

test('the address of a receiver is read as it is typed, and nothing else than http comes of it', () => {
  assert.equal(readReceiver('URL', '4000/hook').href, 'http://localhost:4000/hook')
  assert.equal(readReceiver('URL', ':4000').href, 'http://localhost:4000/')
  assert.equal(readReceiver('URL', 'shop.test/hook?a=1').href, 'http://shop.test/hook?a=1')
  assert.equal(readReceiver('URL', 'HTTPS://Shop.test/hook').href, 'https://shop.test/hook')
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        assert.match(readReceiver('URL', text).protocol, /^https?:$/)
      } catch (error) {
        assert.equal(error instanceof Error && error.name, 'UsageFailure')
      }
    }),
  )
})
