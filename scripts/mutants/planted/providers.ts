// Bugs that whoever has one provider of a chain in hand would profit from.
import { type Mutant, plant } from '../plant.ts'

const forwarder = 'packages/rail-evm/src'
const rpcTests = { tests: [`${forwarder}/node/rpc.test.ts`] }
const witnessTests = { tests: [`${forwarder}/watch/witness.test.ts`] }

const quorum = [
  ...plant({ file: `${forwarder}/node/quorum.ts`, ...rpcTests }, [
    {
      name: 'providers: one voice is enough',
      find: 'if (voicesOf(agreed.map((one) => one.provider)).size >= trust.quorum) {',
      put: 'if (agreed.length > 0) {',
      breaks: 'Who controls one provider decides what was paid.',
    },
    {
      name: 'providers: reverts are alike whatever they say',
      find: '`reverted ${revertData(error)}`',
      put: "'reverted'",
      breaks: 'One provider makes up why a settlement fails, and the order ends.',
    },
  ]),
  ...plant({ file: `${forwarder}/node/head.ts`, ...rpcTests }, [
    {
      name: 'providers: the head is what one says',
      find: '(group) => voicesOf(group.map((tip) => tip.provider)).size >= trust.quorum',
      put: '(group) => group.length > 0',
      breaks: 'One provider removes blocks with payments in them, or adds its own.',
    },
    {
      name: 'providers: another chain is not noticed while it runs',
      find: 'if (found !== chainId) {',
      put: 'if (found === 0) {',
      breaks: 'A provider that changes its chain is asked on and on.',
    },
  ]),
  ...plant({ file: `${forwarder}/node/trust.ts`, ...rpcTests }, [
    {
      name: 'providers: who lies is asked on',
      find: 'if (isPinned || provider.strikes >= STRIKES_MAX) this.setAside(',
      put: 'if (provider.strikes < 0) this.setAside(',
      breaks: 'A liar is neither named nor left out.',
    },
    {
      name: 'providers: who lied never comes back',
      find: 'const isAside = ({ asideUntil }: Provider): boolean => asideUntil !== null && asideUntil > now',
      put: 'const isAside = ({ asideUntil }: Provider): boolean => asideUntil !== null',
      breaks: 'After three mistakes of years nobody is left to ask.',
    },
  ]),
  ...plant({ file: `${forwarder}/node/provider.ts`, ...rpcTests }, [
    {
      name: 'providers: an answer without end is read to the end',
      find: 'if (length > ANSWER_MAX_BYTES) throw tooLong',
      put: 'if (length < 0) throw tooLong',
      breaks: 'One provider fills the memory of the watcher.',
    },
  ]),
  ...plant({ file: `${forwarder}/node/rpc.ts`, ...rpcTests }, [
    {
      name: 'providers: the smaller estimate of gas is taken',
      find: '(await closeNumbers(trust, call)).high',
      put: '(await closeNumbers(trust, call)).low',
      breaks: 'Settlements run out of gas.',
    },
    {
      name: 'providers: far apart is close enough',
      find: 'if (high > low * APART)',
      put: 'if (high < low)',
      breaks: 'An estimate that no block takes wedges every later transaction of the key.',
    },
  ]),
  ...plant({ file: `${forwarder}/node/essence.ts`, tests: [`${forwarder}/node/essence.test.ts`] }, [
    {
      name: 'providers: receipts agree whatever came of the transaction',
      find: "'status', 'from', 'to'",
      put: "'from', 'to'",
      breaks: 'A transaction that failed is taken for one that settled.',
    },
    {
      name: 'providers: logs agree whatever they carry',
      find: "'topics', 'data', 'blockHash'",
      put: "'topics', 'blockHash'",
      breaks: 'Two providers agree about a payment and not about its amount.',
    },
  ]),
  ...plant({ file: `${forwarder}/settings/providers.ts`, tests: [`${forwarder}/settings/config.test.ts`] }, [
    {
      name: 'providers: a live chain starts on one word',
      find: "if (mode === 'live' && voices.size === 1 && !ownNode) {",
      put: "if (mode === 'live' && voices.size === 0 && !ownNode) {",
      breaks: 'Real money is counted on the word of one company.',
    },
    {
      name: 'providers: a reseller is a voice of its own',
      find: 'upstream ?? operator ?? own',
      put: 'operator ?? own',
      breaks: 'Two names for one node agree with each other.',
    },
  ]),
]

const witnesses = [
  ...plant({ file: `${forwarder}/watch/witness.ts`, ...witnessTests }, [
    {
      name: 'witnesses: who told it may confirm it',
      find: "if (opinion === 'agrees' && !isOwn(claim)) agreed.add(claim)",
      put: "if (opinion === 'agrees') agreed.add(claim)",
      breaks: 'A payment that one provider invents counts.',
    },
    {
      name: 'witnesses: two that deny are not believed either',
      find: 'alike.length >= written.chain.quorum) {',
      put: 'alike.length > written.chain.quorum) {',
      breaks: 'A payment that never was keeps its order open for ever.',
    },
    {
      name: 'witnesses: what the merchant got is one provider’s word',
      find: 'return amountOut === undefined || settledAmount(',
      put: "return amountOut !== '' || settledAmount(",
      breaks: 'The order says an amount that did not arrive.',
    },
  ]),
  ...plant({ file: `${forwarder}/watch/watch.store.ts`, ...witnessTests }, [
    {
      name: 'witnesses: depth alone makes a payment count',
      find: "o.state = 'seen' and o.agreed and o.height",
      put: "o.state = 'seen' and o.height",
      breaks: 'A payment that one provider invents is settled and shipped for.',
    },
    {
      name: 'witnesses: depth alone makes a log final',
      find: "and state = 'seen' and agreed and height <= ${upTo.normal.toString()}",
      put: "and state = 'seen' and height <= ${upTo.normal.toString()}",
      breaks: 'Orders succeed by a settlement that never was.',
      tests: [`${forwarder}/watch/quorum.test.ts`],
    },
    {
      name: 'witnesses: the first told takes the place of the true one',
      find: 'await setApart(tx, some)',
      put: 'await setApart(tx, [])',
      breaks: 'Whoever invents a payment hides the one that is there.',
    },
  ]),
  ...plant({ file: `${forwarder}/node/blocks.ts`, tests: [`${forwarder}/node/blocks.test.ts`] }, [
    {
      name: 'witnesses: a log may claim another block',
      find: 'if (!logs.every((log) => isOf(where, log)))',
      put: 'if (logs.some((log) => log === null))',
      breaks: 'A payment counts at a depth that it does not have.',
    },
    {
      name: 'witnesses: one log twice stops the chain',
      find: 'if (places.size < logs.length)',
      put: 'if (places.size < 0)',
      breaks: 'One provider stops all payments of a chain.',
    },
  ]),
  ...plant({ file: `${forwarder}/watch/coins.ts`, tests: [`${forwarder}/test/coins.test.ts`] }, [
    {
      name: 'coins: what arrived in time is late with what came after it',
      find: '(({ vault }) => vault.deadline < a.block.time)',
      put: '(({ vault }) => vault.deadline > a.block.time)',
      breaks: 'A stranger sends 1 wei after the deadline, and a payment in time is late and goes back.',
    },
  ]),
  ...plant({ file: `${forwarder}/watch/watch.store.ts`, tests: [`${forwarder}/test/coins.test.ts`] }, [
    {
      name: 'coins: what was found at a higher block is not booked yet',
      find: 'const amount = (known.get(vault) ?? 0n) + BigInt(above.get(vault)?.amount ?? 0)',
      put: 'const amount = known.get(vault) ?? 0n',
      breaks: 'A stray coin is booked twice, and its refund never goes out.',
    },
  ]),
  ...plant({ file: `${forwarder}/watch/witness.ts`, ...witnessTests }, [
    {
      name: 'coins: a refuted balance is asked about again',
      find: "of.kind === 'deposit' && !of.isLog\n    ? null",
      put: "of.kind === 'factory' && of.event === ''\n    ? null",
      breaks: 'Coins that one provider invents count minutes after two others have denied them.',
    },
  ]),
  ...plant({ file: `${forwarder}/watch/record.ts`, tests: [`${forwarder}/node/senders.test.ts`] }, [
    {
      name: 'senders: a part names the sender of all',
      find: 'a.sender?.value === amount ? a.sender : null',
      put: 'a.sender',
      breaks: 'A thief sends 1 wei beside a payment by a contract, and signs for the refund of all of it.',
    },
  ]),
  ...plant({ file: `${forwarder}/node/senders.ts`, tests: [`${forwarder}/node/senders.test.ts`] }, [
    {
      name: 'senders: a failed transaction has paid',
      find: "return status === '0x1' &&",
      put: 'return status !== undefined &&',
      breaks: 'A thief whose transaction fails is taken for the sender of the money that a contract sent.',
    },
  ]),
  ...plant({ file: 'packages/rail-kit/src/old-head.ts', ...witnessTests }, [
    {
      name: 'witnesses: no head is old',
      find: 'ageMs <= chain.headMaxAgeMs',
      put: 'ageMs >= 0',
      breaks: 'Who freezes a chain’s nodes has paid orders expire.',
    },
  ]),
  ...plant({ file: `${forwarder}/relay/send.ts`, ...witnessTests }, [
    {
      name: 'witnesses: refunds go out on an old head',
      find: "const old = signer.role === 'refunder' ? oldHead",
      put: "const old = signer.role === 'relayer' ? oldHead",
      breaks: 'Money goes back on balances of yesterday.',
    },
  ]),
  ...plant({ file: `${forwarder}/relay/events/logs.store.ts`, ...witnessTests }, [
    {
      name: 'witnesses: a failure is believed at once',
      find: "and (agreed or event in ('Settled', 'Refunded') or state = 'orphaned')",
      put: 'and (agreed or true)',
      breaks: 'Two invented failures end an order whose money arrived.',
    },
  ]),
]

/** What one provider leaves out, twice. */
const omissions = [
  ...plant({ file: `${forwarder}/watch/in-turn.ts`, tests: [`${forwarder}/watch/in-turn.test.ts`] }, [
    {
      name: 'omissions: who told the first scan tells the second',
      find: 'const isHeard = ({ voice }: { voice: string }): boolean => heard.has(voice)',
      put: 'const isHeard = ({ voice }: { voice: string }): boolean => heard.size < 0 && heard.has(voice)',
      breaks: 'What one provider leaves out is left out by both scans.',
    },
  ]),
  ...plant({ file: `${forwarder}/watch/record.ts`, ...witnessTests }, [
    {
      name: 'omissions: nobody writes down who told a block',
      find: 'readBy: look.saidBy',
      put: "readBy: ''",
      breaks: 'After one failure the second scan asks the provider that left the payment out.',
      only: 'what one leaves out',
    },
  ]),
  ...plant({ file: `${forwarder}/relay/mined-logs.ts`, ...witnessTests, only: 'known by their receipts' }, [
    {
      name: 'omissions: a receipt of ours shows nothing',
      find: 'if (await insertMinedLog(tx, chain.id, log, { ...branch, now })) count++',
      put: 'if (branch.time === now) count++',
      breaks: 'A settled order says for ever that it is being settled.',
    },
    {
      name: 'omissions: what reached the merchant is not read from the receipt',
      find: 'amountOut: settledAmount(log, factory, all).toString()',
      put: "amountOut: '0'",
      breaks: 'A settlement that arrived is taken for one that did not.',
    },
  ]),
  ...plant({ file: `${forwarder}/watch/witness.store.ts`, ...witnessTests, only: 'denied and comes back' }, [
    {
      name: 'omissions: what became of a denied payment is told once',
      find: "and state = 'final' and relayed = 'final'`",
      put: "and state = 'final' and relayed = 'seen'`",
      breaks: 'An order whose merchant has the money waits for a settlement that nobody can make, and fails.',
      unseen: true,
    },
  ]),
]

/** One contract of the rails file that is no token. */
const tokens = plant({ file: `${forwarder}/tokens/each.ts`, tests: [`${forwarder}/tokens/each.test.ts`] }, [
  {
    name: 'tokens: one that is none stops the comparison',
    find: 'if (!isTokensFault(error)) throw error\n    for (',
    put: 'if (balances.size === 0) throw error\n    for (',
    breaks: 'One wrong line of the rails file, and nobody compares books with the chain any more.',
  },
  {
    name: 'tokens: one that is none stops every expiry',
    find: 'if (!isOther || !isTokensFault(error)) throw error',
    put: 'if (!isTokensFault(error) || isOther) throw error',
    breaks: 'One wrong line of the rails file, and no order of the chain expires or is refunded.',
    unseen: true,
  },
  {
    name: 'tokens: one that was none is left out for ever',
    find: 'one.askedAt.getTime() > since',
    put: 'one.askedAt.getTime() > 0',
    breaks: 'After one bad minute of an issuer’s contract its coins on addresses are seen no more.',
    unseen: true,
  },
])

export const providerMutants: readonly Mutant[] = [...quorum, ...witnesses, ...omissions, ...tokens]
