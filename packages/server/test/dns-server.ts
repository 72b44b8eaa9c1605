// A DNS server on loopback for tests: it answers each question as a test says, also differently each time.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import type { TestContext } from 'node:test'
import ipaddr from 'ipaddr.js'

/** Addresses of either family, with a time to live of 0; or a refusal; or no answer at all. */
export type DnsAnswer = { addresses: readonly string[]; cname?: string } | 'nxdomain' | 'servfail' | 'silent'

export interface DnsServer {
  /** For makeResolver. */
  readonly address: string
  /** Names asked for, one entry a question. */
  readonly asked: string[]
}

const A = 1
const CNAME = 5
const AAAA = 28

/** @param answer is asked once for A and once for AAAA of each lookup; `n` counts lookups of that name from 1. */
export async function dnsServer(t: TestContext, answer: (name: string, n: number) => DnsAnswer): Promise<DnsServer> {
  const asked: string[] = []
  const counts = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const { name, type, end } = readQuestion(question)
    const key = `${name} ${type}`
    const n = (counts.get(key) ?? 0) + 1
    counts.set(key, n)
    asked.push(key)
    const said = answer(name, n)
    if (said === 'silent') return
    const records: Buffer[] = []
    if (typeof said === 'object') {
      if (said.cname !== undefined) records.push(record(Buffer.from([0xc0, 12]), CNAME, nameBytes(said.cname)))
      // With a CNAME the addresses belong to the name it points at.
      const owner = said.cname === undefined ? Buffer.from([0xc0, 12]) : nameBytes(said.cname)
      for (const address of said.addresses) {
        if (isIPv4(address) === (type === A) && (type === A || type === AAAA)) {
          records.push(record(owner, type, Buffer.from(ipaddr.parse(address).toByteArray())))
        }
      }
    }
    const reply = Buffer.concat([question.subarray(0, end), ...records])
    reply.writeUInt16BE(0x8180 | (said === 'nxdomain' ? 3 : said === 'servfail' ? 2 : 0), 2)
    reply.writeUInt16BE(1, 4)
    reply.writeUInt16BE(records.length, 6)
    reply.writeUInt32BE(0, 8)
    socket.send(reply, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let size = message.readUInt8(at); size > 0; size = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + size))
    at += size + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, fixed, data])
}
