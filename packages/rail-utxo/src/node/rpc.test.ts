// The login to a node, over HTTP: its cookie file, which is another after each restart.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { nodeRpc } from './rpc.ts'

test('the cookie is read once, again when the node refuses it, and no secret is in what is said', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-cookie-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, '.cookie')
  let valid = ''
  const asked: string[] = []
  // A node answers a wrong login with 401 and no body.
  const server = createServer((request, response) => {
    const login = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
    asked.push(login)
    if (login !== valid) return void response.writeHead(401, { 'www-authenticate': 'Basic realm="jsonrpc"' }).end()
    response.writeHead(200).end(JSON.stringify({ id: 0, result: 7, error: null }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const rpc = nodeRpc({ name: 'node', url, login: { kind: 'cookie', file } }, { timeoutMs: 5_000 })
  await assert.rejects(rpc.call('getblockcount'), /its cookie file cannot be read; is the node running/)
  assert.equal(asked.length, 0, 'without a login nothing is sent')

  const restart = (cookie: string): Promise<void> => {
    valid = cookie
    return writeFile(file, `${cookie}\n`)
  }
  await restart('__cookie__:first')
  assert.deepEqual([await rpc.call('getblockcount'), await rpc.call('getblockcount')], [7, 7])
  await restart('__cookie__:second')
  assert.deepEqual([await rpc.call('getblockcount'), await rpc.call('getblockcount')], [7, 7])
  assert.deepEqual(
    asked.map((login) => login.slice('__cookie__:'.length)),
    ['first', 'first', 'first', 'second', 'second'],
  )
  // A file that is not this node's: asked twice, and not for ever.
  valid = 'other'
  await assert.rejects(rpc.call('getblockcount'), (error: Error) => {
    assert.match(error.message, /refuses the user and password/)
    assert.ok(!error.message.includes('second'))
    return true
  })
  assert.equal(asked.length, 7)
  await restart('__cookie__:third')
  assert.equal(await rpc.call('getblockcount'), 7)
})
