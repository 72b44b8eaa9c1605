// Bugs in looking at the addresses of open swaps: what a node that lies or is away could cost payers.
import { plant } from '../../plant.ts'

const rail = 'packages/server/src/rails/intents'
const sight = [`${rail}/sight/sight.test.ts`]
const sightChains = [`${rail}/sight/chains.test.ts`]

export const intentsSightMutants = [
  ...plant({ file: `${rail}/watch/poll.ts`, tests: sight }, [
    {
      name: 'intents sight: what nodes tell of takes all questions',
      find: 'const own = seen.slice(0, ofSeen(limit))',
      put: 'const own = seen.slice(0, limit + ofSeen(limit))',
      breaks:
        'A node that says of every address that it was paid keeps payers with an open page waiting for half an hour.',
    },
    {
      name: 'intents sight: swaps are left to a node that went away',
      find: 'await takeBack(sql, { ...a, stretch })',
      put: 'await takeBack(sql, { ...a, stretch, looked: [...chains] })',
      breaks: 'While a node is away nobody looks for what is paid on its chain.',
    },
  ]),
  ...plant({ file: `${rail}/watch/swaps.store.ts`, tests: [`${rail}/sight/sights.store.test.ts`] }, [
    {
      name: 'intents sight: chains do not take turns',
      find: 'order by is_crowded, s.turn, s.seen_due_at limit',
      put: 'order by s.seen_due_at limit',
      breaks: 'A node that lies holds up what the nodes of all other chains see.',
    },
  ]),
  ...plant({ file: `${rail}/sight/rules.ts`, tests: sight }, [
    {
      name: 'intents sight: a chain counts as looked at long after its node went away',
      find: 'const FRESH_MS = 90 * SECOND_MS',
      put: 'const FRESH_MS = 9_000 * SECOND_MS',
      breaks: 'What is paid while a node is away is found after half an hour.',
    },
    {
      name: 'intents sight: what was seen is asked about once',
      find: 'sinceMs >= (isSlow(pay.chain) ? FOLLOWED_MS.slow : FOLLOWED_MS.usual)',
      put: 'sinceMs >= (isSlow(pay.chain) ? 0 : 0)',
      breaks: 'The provider waits for confirmations, is asked too early, and then not for half an hour.',
    },
  ]),
  ...plant({ file: `${rail}/sight/sights.store.ts`, tests: sight }, [
    {
      name: 'intents sight: the same transaction is a new hint each time',
      find: 'join intents_legs o on o.ref = t.ref and not t.key = any(o.seen)',
      put: 'join intents_legs o on o.ref = t.ref',
      breaks: 'A lie is asked about for ever.',
    },
    {
      name: 'intents sight: one swap may be seen without end',
      find: 'and cardinality(l.seen) < ${a.max}',
      put: 'and cardinality(l.seen) < ${a.max} + 1_000_000',
      breaks: 'A node that invents transactions has its swaps asked about for ever, and left to it.',
    },
  ]),
  ...plant({ file: `${rail}/sight/evm.ts`, tests: sight }, [
    {
      name: 'intents sight: blocks are not read from where the last look ended',
      find: 'cursor === null ? newest + 1n : smaller(cursor, newest) + 1n',
      put: 'newest + 1n',
      breaks: 'What was paid while no process ran is found late.',
    },
    {
      name: 'intents sight: any token is a hint',
      find: 'lower(asset.contract) === lower(address))',
      put: 'lower(asset.contract) !== lower(null))',
      breaks: 'Worthless tokens have swaps asked about.',
    },
  ]),
  ...plant({ file: `${rail}/sight/sight.ts`, tests: sight }, [
    {
      name: 'intents sight: a node that leaves something out counts as one that saw all',
      find: 'lookedAt: gap === null ? began : null',
      put: 'lookedAt: began',
      breaks: 'Payers of coins whose balance the node does not tell are left to it.',
      unseen: true,
    },
    {
      name: 'intents sight: a node that does not answer ends the round',
      find: 'if (away === null) return 0',
      put: 'return 0',
      breaks: 'Beside a node that is away the other one is asked half as often.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/sight/rules.ts`, tests: sight }, [
    {
      name: 'intents sight: what the provider knows of is followed on',
      find: "if (stage !== 'waiting' || status !== 'PENDING_DEPOSIT' || seenAt === null) return null",
      put: "if (stage === 'failed' || status === '' || seenAt === null) return null",
      breaks: 'Each paid swap takes twice the questions, and others wait.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/sight/evm.ts`, tests: sight }, [
    {
      name: 'intents sight: the newest blocks are read once',
      find: 'largest(0n, smaller(read.upTo, newest))',
      put: 'largest(0n, read.upTo)',
      breaks: 'What a node tells of a block only after a moment is missed.',
      unseen: true,
    },
    {
      name: 'intents sight: what the chain took back is a hint',
      find: 'place === undefined || removed === true',
      put: 'place === undefined',
      breaks: 'A transaction that is gone uses up what a swap may be seen by.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/swaps.store.ts`, tests: sight }, [
    {
      name: 'intents sight: while the provider is away it is forgotten what was seen',
      find: 'seen_due_at = case when seen_due_at is not null then ${a.dueAt}::timestamptz end',
      put: 'seen_due_at = null',
      breaks: 'A payment that was seen is found half an hour after the provider is back.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/sight/sights.store.ts`, tests: sight }, [
    {
      name: 'intents sight: what a node tells takes the place of what a payer named',
      find: 'then s.hash else l.hint end',
      put: 'then s.hash else coalesce(s.hash, l.hint) end',
      breaks: 'A node that lies keeps the payer’s own transaction from the provider.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/sight/blocks.ts`, tests: sightChains }, [
    {
      name: 'intents sight: a block that was replaced is not read again',
      find: 'read.has(at) && (await asked(source.hashAt(at))) !== read.get(at)',
      put: 'read.has(at) && (await asked(source.hashAt(at))) === null',
      breaks: 'What was paid in the other block is found half an hour late.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/sight/solana.ts`, tests: sightChains }, [
    {
      name: 'intents sight: rent is taken for money',
      find: 'const amount = asset.contract === null ? coinsOf(value) : tokensOf(value)',
      put: 'const amount = coinsOf(value)',
      breaks: 'An account that somebody opened for a swap has it asked about for nothing.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/chains/src/token-account.ts', tests: sightChains }, [
    {
      name: 'intents sight: the account of a token is worked out otherwise than on the chain',
      find: '...wallet, ...program, ...token, bump',
      put: '...wallet, ...token, ...program, bump',
      breaks: 'No token that is paid on Solana is seen.',
      unseen: true,
    },
  ]),
]
