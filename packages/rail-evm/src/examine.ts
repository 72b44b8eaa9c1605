// What has to hold on a chain before real money comes: each point is looked up on the chain itself, or in what the
// processes that watch and send wrote down.
import { payFactoryAbi } from '@florin/contracts'
import { type Check, ok, warning } from '@florin/platform/check'
import { MINUTE_MS } from '@florin/protocol'
import { firstLine } from '@florin/rail-kit/first-line'
import type { GoLiveQuestion } from '@florin/rail-kit/interface/rail'
import { makePrices } from '@florin/rail-kit/prices'
import { type Address, formatEther, formatGwei, parseGwei } from 'viem'
import type { ForwarderContext, ForwarderLink } from './context.ts'
import { verifyChain } from './node/verify.ts'
import { listSigners, type SeenSigner, sumCosts } from './relay/outbox.store.ts'
import { GAS_WINDOW_MS } from './relay/standing.ts'
import { roleNumbers, runwayOf } from './relay/trouble.ts'
import { listCursors } from './watch/cursors.store.ts'
import { listProviders } from './watch/witness.store.ts'

type Parts = Pick<ForwarderContext, 'sql' | 'clock'>

const RUNWAY_DAYS = 7
/** A key that did not look for so long is in no process that runs. */
const FRESH_MS = 3 * MINUTE_MS

export async function examineChain(parts: Parts, link: ForwarderLink, asked: GoLiveQuestion): Promise<Check[]> {
  const { chain } = link.rpc
  const points = [
    chain.mode === 'live'
      ? ok('mode', `${chain.id} is configured for live money.`)
      : warning('mode', `${chain.id} is in test mode.`, 'Say "mode": "live" in the rails file and restart.'),
  ]
  const look = async (name: string, of: () => Promise<Check | Check[]>): Promise<void> => {
    points.push(
      ...[
        await of().catch((error: unknown) =>
          warning(
            name,
            `It cannot be looked up: ${firstLine(error)}.`,
            'See that two providers answer, and ask again.',
          ),
        ),
      ].flat(),
    )
  }
  const signers = (await listSigners(parts.sql, [chain.id])).filter(
    (one) => parts.clock.now().getTime() - one.lookedAt.getTime() < FRESH_MS,
  )
  await look('contracts', () => contracts(link))
  await look('owner', () => owner(link))
  await look('relayer', () => keyPoint(link, signers, 'relayer'))
  await look('refunder', async () => refunder(link, signers, asked))
  await look('guardian', () => guardian(link, asked.guardian))
  await look('gas', () => gas(parts, link, signers))
  await look('providers', () => providers(parts, link))
  await look('watching', () => watching(parts, link))
  await look('prices', () => prices(parts, link))
  await look('pegs', () => pegs(parts, link))
  return points
}

async function contracts({ rpc }: ForwarderLink): Promise<Check> {
  const { factory, impl } = rpc.chain
  try {
    await verifyChain(rpc)
  } catch (error) {
    return warning('contracts', firstLine(error), 'Put what the deployment printed into the rails file, and restart.')
  }
  return ok('contracts', `Factory ${factory} and vault code ${impl} are ours and bound to each other.`)
}

async function owner({ rpc: { client, chain } }: ForwarderLink): Promise<Check> {
  const who = await client.readContract({ address: chain.factory, abi: payFactoryAbi, functionName: 'owner' })
  const code = await client.getCode({ address: who })
  // A wallet that delegates to code (EIP-7702) is still opened by one key.
  const isContract = code !== undefined && code !== '0x' && !code.toLowerCase().startsWith('0xef0100')
  if (isContract) return ok('owner', `The owner ${who} is a contract.`)
  return warning(
    'owner',
    `The owner ${who} is a single key.`,
    'Make a multisig, and hand the factory over to it: transferOwnership by this key, acceptOwnership by the multisig.',
  )
}

const holds = ({ rpc: { client, chain } }: ForwarderLink, role: keyof typeof roleNumbers, who: Address) =>
  client.readContract({
    ...{ address: chain.factory, abi: payFactoryAbi, functionName: 'hasRole' },
    args: [roleNumbers[role], who],
  })

async function keyPoint(
  link: ForwarderLink,
  signers: readonly SeenSigner[],
  role: 'relayer' | 'refunder',
): Promise<Check> {
  const keys = signers.filter((one) => one.role === role)
  if (keys.length === 0) {
    return warning(
      role,
      `No process that runs has a ${role} key.`,
      `Name the variable that holds it under "${role}" in the rails file, and start a process of MODE=all or worker with it.`,
    )
  }
  for (const { signer } of keys) {
    if (await holds(link, role, signer as Address)) continue
    const how = 'Use the key that the deployment named, or let the owner announce this one and apply it 48 hours later.'
    return warning(role, `${signer} is not a ${role} of the factory.`, how)
  }
  return ok(role, `${keys.map(({ signer }) => signer).join(', ')} may act as ${role}.`)
}

async function refunder(link: ForwarderLink, signers: readonly SeenSigner[], asked: GoLiveQuestion): Promise<Check> {
  if (link.rpc.chain.refunderKey !== null && asked.answersRequests) {
    return warning(
      'refunder',
      'The process that answers requests has the refunder key.',
      'Take it out of its rails file, and give it to a process of MODE=worker on a machine of its own.',
    )
  }
  if (signers.some((one) => one.role === 'refunder')) return keyPoint(link, signers, 'refunder')
  return ok('refunder', 'No process has a refunder key: refunds wait until one does, as docs/rails.md says.')
}

async function guardian(link: ForwarderLink, who: string | null): Promise<Check> {
  if (who === null) {
    return warning('guardian', 'It was not said who the guardian is.', 'Ask again with --guardian 0x…, its address.')
  }
  if (await holds(link, 'guardian', who as Address)) return ok('guardian', `${who} may veto and pause refunds.`)
  return warning(
    'guardian',
    `${who} is not a guardian of the factory.`,
    'Name the right address, or let the owner announce this one and apply it 48 hours later.',
  )
}

async function gas(parts: Parts, link: ForwarderLink, signers: readonly SeenSigner[]): Promise<Check> {
  const { chain, client } = link.rpc
  const keys = signers.filter((one) => one.role === 'relayer')
  const [key] = keys
  if (key === undefined)
    return warning('gas', 'There is no relayer key to look at.', 'Close the point "relayer" first.')
  const who = key.signer as Address
  const now = parts.clock.now()
  const [balance, block, costs] = await Promise.all([
    client.getBalance({ address: who }),
    client.getBlock({ blockTag: 'latest', includeTransactions: false }),
    sumCosts(parts.sql, key, new Date(now.getTime() - GAS_WINDOW_MS)),
  ])
  const cap = parseGwei(chain.relayer?.maxFeeGwei ?? '0')
  const price = block.baseFeePerGas ?? 0n
  if (chain.relayer !== null && price > cap) {
    const says = `Gas costs ${formatGwei(price)} gwei, and maxFeeGwei allows ${formatGwei(cap)}.`
    return warning('gas', says, 'Raise maxFeeGwei in the rails file and restart, or wait for lower fees.')
  }
  const sinceMs = costs.first === null ? 0 : now.getTime() - costs.first.getTime()
  const runway = runwayOf({ balance, spent: costs.spent, sinceMs, cap })
  const lasts = runway.isBound ? `at least ${runway.days} days of ten orders at the highest fee` : `${runway.days} days`
  const says = `${who} has ${formatEther(balance)} ${chain.nativeAsset}, enough for ${lasts}.`
  if (runway.days >= RUNWAY_DAYS) return ok('gas', says)
  return warning('gas', says, `Send it ${chain.nativeAsset} until it lasts ${RUNWAY_DAYS} days.`)
}

async function providers(parts: Parts, { rpc }: ForwarderLink): Promise<Check> {
  const { chain } = rpc
  const voices = [...new Set(chain.rpc.map((one) => one.voice))]
  const told = (await listProviders(parts.sql)).filter((row) => row.chain === chain.id)
  const out = (told.length > 0 ? told : rpc.health().providers).filter((one) => one.verdict !== 'ok')
  if (voices.length < 2) {
    return warning(
      'providers',
      `All of ${chain.id} is the word of ${voices.join()}.`,
      'Add a provider of another operator to "rpc" in the rails file.',
    )
  }
  if (out.length === 0) return ok('providers', `${voices.length} operators answer: ${voices.join(', ')}.`)
  const says = out.map((one) => `${one.name} is ${one.verdict}: ${one.reason ?? 'no reason is known'}`).join('; ')
  return warning('providers', `${says}.`, 'Wait until it is back, or put another provider into the rails file.')
}

async function watching(parts: Parts, { rpc: { chain } }: ForwarderLink): Promise<Check> {
  const cursor = (await listCursors(parts.sql)).find((row) => row.chain === chain.id)
  const isFresh = cursor !== undefined && parts.clock.now().getTime() - cursor.updatedAt.getTime() < FRESH_MS
  if (isFresh && cursor.note === null) return ok('watching', `Block ${cursor.height} of ${cursor.head} was read.`)
  const says = cursor?.note ?? (cursor === undefined ? 'The chain was never read.' : 'Nobody has read it for minutes.')
  return warning(
    'watching',
    says,
    'Start a process of MODE=all or worker with the rails file; its log says what is wrong.',
  )
}

async function prices(parts: Parts, { rpc }: ForwarderLink): Promise<Check> {
  const { chain } = rpc
  if (!chain.native || chain.prices === null) {
    return ok('prices', `${chain.nativeAsset} is not taken, so that no price is needed.`)
  }
  try {
    const { source } = await makePrices(rpc, parts).native()
    return ok('prices', `The price of ${chain.nativeAsset} comes from ${source}.`)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return warning(
      'prices',
      `No two sources agree about ${chain.nativeAsset}: ${firstLine(cause)}.`,
      'Mend or replace the source under "prices" in the rails file, or take "prices" out: then only tokens are taken.',
    )
  }
}

async function pegs(parts: Parts, { rpc }: ForwarderLink): Promise<Check> {
  const coins = rpc.chain.tokens.map((token) => token.asset)
  const { pegs, unpegged } = rpc.chain
  const without = coins.filter((asset) => !pegs.has(asset) && !unpegged.has(asset))
  if (without.length > 0) {
    const how =
      'Name two sources of its dollar price under "peg" in the rails file, say "none" there if you take it at a dollar whatever it is worth, or take it out of "tokens"; restart.'
    return warning('pegs', `Nobody looks at the price of ${without.join(' and ')}.`, how)
  }
  const { checkPeg, pegAnswers } = makePrices(rpc, parts)
  const looked = await Promise.all(
    coins.map(async (asset) => {
      if (!pegs.has(asset)) return { isNear: true, says: `${asset} is taken at a dollar: "none" is said of its peg` }
      const isNear = await checkPeg({ asset }).then(
        () => true,
        () => false,
      )
      return { isNear, says: `${asset} is ${isNear ? '' : 'not '}quoted: ${(await pegAnswers(asset)).join(', ')}` }
    }),
  )
  const says = `${looked.map((one) => one.says).join('; ')}.`
  if (looked.every((one) => one.isNear)) return ok('pegs', says)
  return warning(
    'pegs',
    says,
    'Mend or replace the source that fails under "peg" in the rails file; while the coin is away from a dollar, wait.',
  )
}
