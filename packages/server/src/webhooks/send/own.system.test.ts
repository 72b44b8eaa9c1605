// A public address on an interface of this machine: the kernel connects to it over loopback, and Florin does not.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { needsDebian } from '../../../test/debian.ts'

before(() => needsDebian('iproute2'))

const inside = `
  import { createServer } from 'node:http'
  import { makeConnections } from '${import.meta.dirname}/connections.ts'
  import { makeOwnAddresses } from '${import.meta.dirname}/own.ts'
  import { makePolicy } from '${import.meta.dirname}/policy.ts'
  import { makeResolver } from '${import.meta.dirname}/resolve.ts'
  import { send } from '${import.meta.dirname}/send.ts'
  import { makeDialler } from '${import.meta.dirname}/target.ts'
  const server = createServer((_request, answer) => answer.end('secret')).listen(8080)
  const resolver = makeResolver()
  const policy = makePolicy({ webhookAllow: [], webhookAllowPrivate: false, webhookOwnAddresses: [] })
  const outcomes = []
  for (const own of [{ includes: async () => false }, makeOwnAddresses({ baseUrl: 'https://1.1.1.1', resolver })]) {
    const connections = makeConnections(makeDialler({ resolver, policy, own }), 0)
    for (const host of ['93.184.216.34', '[2a01:4f8:1:2::1]', '[2a01:4f8:1:2::99]']) {
      const post = { url: 'http://' + host + ':8080/', body: Buffer.from('{}'), headers: [] }
      const { error, excerpt } = await send(connections, post, 5000)
      outcomes.push(error ?? excerpt)
    }
  }
  server.closeAllConnections()
  server.close()
  console.log(JSON.stringify(outcomes))
`

test('public addresses of the interfaces: reachable over loopback → refused', async () => {
  const network = [
    'ip link set lo up',
    'ip addr add 93.184.216.34/24 dev lo',
    // The whole prefix is routed to this machine, as container hosts do.
    'ip -6 addr add 2a01:4f8:1:2::1/64 dev lo',
    'ip -6 route add local 2a01:4f8:1:2::/64 dev lo',
  ].join(' && ')
  const args = ['-n', 'sh', '-c', `${network} && exec "$0" --input-type=module -e "$1"`, process.execPath, inside]
  const { stdout } = await promisify(execFile)('unshare', args)
  const refused = 'url_forbidden_address'
  assert.deepEqual(JSON.parse(stdout), ['secret', 'secret', 'secret', refused, refused, refused])
})
