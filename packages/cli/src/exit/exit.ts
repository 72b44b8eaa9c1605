// `florin exit`: moves the money of an order without Florin, from a proof, or of all orders from journal and seed.
import { readFile } from 'node:fs/promises'
import { addressOf, BadProof, checkProof, type Exit, LookFault, readProof } from '@florin/exit'
import { readJournal, readSeed } from '@florin/exit/journal'
import { type Call, type Command, serviceFlags } from '../command.ts'
import { Failure, UsageFailure } from '../failure.ts'
import { openClient, readSettings } from '../settings.ts'
import { readWhole } from '../words.ts'
import type { Target } from './act.ts'
import { readMaxFee } from './cost.ts'
import { openNodes } from './nodes.ts'
import { servePage, writePage } from './page.ts'
import { runTargets } from './run.ts'
import { readKey } from './send.ts'

const PAGE_PORT = 4020

export const exitCommand: Command = {
  name: 'exit',
  takes: ['[ORDER_OR_PROOF]'],
  about: 'Settle or return money without Florin, with a proof and a wallet',
  notes: [
    'ORDER_OR_PROOF is an order number, which is asked of the service; the file of a proof, an order or a webhook; or - for what',
    'comes in. Without --key-file nothing is sent: it shows what lies there, which calls move it and when, and the transaction.',
    'Any key with a little of the native coin will do: a call can pay only whom the address is bound to.',
  ],
  flags: [
    { name: 'rpc', value: 'URL', many: true, about: 'a node of the chain; two of one chain have to agree' },
    { name: 'token', value: 'ADDRESS', many: true, about: 'look for this token too' },
    {
      name: 'call',
      value: 'NAME',
      about:
        'settleOpen, settleOpenNoFee, rescue, executeRefund, settle or refundBound; left out, the first that goes through',
    },
    { name: 'key-file', value: 'FILE', about: 'send with the private key in this file' },
    {
      name: 'max-fee-gwei',
      value: 'N',
      about: 'the most that a unit of gas may cost; left out, a bound of the chain, 500 where none is known',
    },
    { name: 'yes', about: 'do not ask before sending' },
    { name: 'journal', value: 'DIR', about: 'every address in these journals, with --seed-file' },
    { name: 'seed-file', value: 'FILE', about: 'the recovery seed, as the export wrote it' },
    { name: 'all', about: 'with --journal: show addresses with nothing on them too' },
    { name: 'page', value: 'FILE', about: 'write the page that does the same with a wallet in a browser' },
    { name: 'serve', about: 'serve that page on this machine' },
    { name: 'port', value: 'N', about: `with --serve; ${PAGE_PORT} where left out` },
    ...serviceFlags,
  ],
  examples: [
    'florin exit ord_01k6m3… --rpc https://rpc.example/base',
    'florin exit proof.json --rpc https://rpc.example/base --key-file wallet.key',
    'florin exit --journal ./journal --seed-file seed.txt --rpc https://rpc.example/base',
  ],
  async run(call) {
    try {
      return await run(call)
    } catch (error) {
      if (error instanceof BadProof) throw new UsageFailure(error.message)
      throw error instanceof LookFault ? new Failure(error.message) : error
    }
  },
}

async function run(call: Call): Promise<number> {
  const file = call.text('page')
  const [given] = call.args
  if (file !== undefined || call.isOn('serve')) {
    const exit = given === undefined ? null : await readExit(call, given)
    if (file !== undefined) {
      await writePage(file, exit)
      call.terminal.note(
        `${file} is written. Open it in a browser with a wallet; it asks no other address for anything.`,
      )
    }
    if (!call.isOn('serve')) return 0
    return servePage(call, readWhole('--port', call.text('port'), 0, 65_535) ?? PAGE_PORT, exit)
  }
  const targets = await readTargets(call, given)
  const tokens = call.texts('token').map((text) => addressOf(text, '--token'))
  const keyFile = call.text('key-file')
  const key = keyFile === undefined ? null : await readKey(keyFile)
  const maxFee = readMaxFee(call.text('max-fee-gwei'))
  const isJournal = call.text('journal') !== undefined
  return runTargets(call, {
    ...{ targets, tokens, key, maxFee, nodes: await openNodes(call.texts('rpc')) },
    showsEmpty: !isJournal || call.isOn('all'),
    only: call.text('call') ?? null,
  })
}

async function readTargets(call: Call, given: string | undefined): Promise<Target[]> {
  const dir = call.text('journal')
  const seedFile = call.text('seed-file')
  if (dir === undefined) {
    if (seedFile !== undefined) throw new UsageFailure('--seed-file goes with --journal DIR.')
    if (given === undefined) throw new UsageFailure('ORDER_OR_PROOF is missing: florin exit ORDER_OR_PROOF --rpc URL')
    return [{ exit: await readExit(call, given), name: given }]
  }
  if (given !== undefined) throw new UsageFailure('Say either ORDER_OR_PROOF or --journal DIR.')
  if (seedFile === undefined) throw new UsageFailure('--journal needs --seed-file FILE: the recovery seed opens it.')
  const seed = readSeed(await readText(seedFile))
  const { entries, notes } = await readJournal(dir, seed).catch((error: unknown) => {
    throw new UsageFailure(`${dir} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  })
  for (const note of notes) call.terminal.note(note)
  return entries.map(({ proof, chain, asset, at }) => ({ exit: checkProof(proof), name: `${at} ${asset} on ${chain}` }))
}

async function readExit(call: Call, given: string): Promise<Exit> {
  if (!/^ord_[0-9a-z]+$/.test(given)) return readProof(await readText(given))
  const { pay } = await openClient(readSettings(call)).orders.get(given)
  if (pay?.proof == null) {
    throw new Failure(
      "This order has no proof: its payer has not chosen how to pay, it is the payer's own until paid, or it is on no chain.",
    )
  }
  return checkProof(pay.proof)
}

async function readText(path: string): Promise<string> {
  if (path === '-') {
    const parts: Buffer[] = []
    for await (const part of process.stdin) parts.push(part)
    return Buffer.concat(parts).toString('utf8')
  }
  return readFile(path, 'utf8').catch(() => {
    throw new UsageFailure(`There is no file ${path} that can be read.`)
  })
}
