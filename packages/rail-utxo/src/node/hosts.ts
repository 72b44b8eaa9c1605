// Blocks from hosts with Esplora's interface. Only whole blocks and headers are asked for, so no address is told to
// anybody; what is told is checked in branch.ts.

import { HEADER_BYTES, type Header, readHeader } from '../chain/block.ts'
import type { HostSettings } from '../settings/config.ts'
import { askHost, HostFailed } from './http.ts'
import type { BlockSource } from './view.ts'

const HASH = /^[0-9a-f]{64}$/
const HEIGHT = /^\d{1,9}$/
const TEXT_MAX_BYTES = 4_096

export function blockHost(host: HostSettings, a: { timeoutMs: number }): BlockSource {
  async function get(path: string, maxBytes?: number): Promise<{ status: number; body: Buffer }> {
    return askHost({
      name: host.name,
      url: `${host.url}${path}`,
      ...a,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    })
  }

  /** A refusal may come with any status and in any form: only what has the right shape is taken. */
  async function text(path: string, shape: RegExp): Promise<string | null> {
    const { status, body } = await get(path, TEXT_MAX_BYTES)
    if (status === 404) return null
    const said = body.toString('utf8').trim()
    if (status !== 200 || !shape.test(said)) throw new HostFailed(`${host.name}: it answered ${status} to ${path}`)
    return said
  }

  async function needed(path: string, shape: RegExp): Promise<string> {
    const said = await text(path, shape)
    if (said === null) throw new HostFailed(`${host.name}: it knows nothing of ${path}`)
    return said
  }

  return {
    name: host.name,
    isOwn: false,
    async tip() {
      const height = Number(await needed('/blocks/tip/height', HEIGHT))
      return { height, hash: await needed(`/block-height/${height}`, HASH) }
    },
    hashAt: (height) => text(`/block-height/${height}`, HASH),
    async header(hash): Promise<Header> {
      const raw = Buffer.from(await needed(`/block/${hash}/header`, /^[0-9a-f]{160}$/), 'hex')
      return readHeader(raw.subarray(0, HEADER_BYTES))
    },
    async block(hash) {
      const { status, body } = await get(`/block/${hash}/raw`)
      if (status !== 200) throw new HostFailed(`${host.name}: it answered ${status} for a block`)
      return body
    },
  }
}
