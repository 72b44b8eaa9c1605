// Bugs in the rail of Bitcoin and Litecoin: what a payer or a stranger's block host could take from a merchant.
import { plant } from '../plant.ts'

const rail = 'packages/rail-utxo/src'
const model = 'packages/order-model/src'
const pure = [`${rail}/chain/block.test.ts`]
const hosts = [`${rail}/node/hosts.test.ts`]
const watch = [`${rail}/watch/watch.test.ts`]

export const utxoMutants = [
  ...plant({ file: 'packages/server/src/recovery/given.ts', tests: ['packages/server/src/recovery/given.test.ts'] }, [
    {
      name: 'utxo: a restored database gives out addresses again',
      find: 'restoreGiven(sql, accountAddresses(sql), given)',
      put: 'restoreGiven(sql, accountAddresses(sql), given.slice(1))',
      breaks: 'The payer of an order that a restore lost pays the order of somebody else.',
    },
  ]),
  ...plant({ file: `${rail}/watch/owners.ts`, tests: [`${rail}/watch/owners.test.ts`] }, [
    {
      name: 'utxo: money of a lost order is booked to another order of its address',
      find: 'const lost = legs.findLast((leg) => leg.isLost)',
      put: 'const lost = legs.findLast((leg) => leg.isLost && leg === first)',
      breaks: 'An order succeeds with the money of a payer whose order a restore lost.',
    },
  ]),
  ...plant({ file: `${rail}/chain/block.ts`, tests: [...pure, ...hosts] }, [
    {
      name: 'utxo: a block need not hold the transactions of its header',
      find: 'if (shown(merkleRootOf(ids)) !== header.merkleRoot)',
      put: 'if (ids.length < 0)',
      breaks: 'A block host invents payments.',
    },
    {
      name: 'utxo: transactions of a block may be repeated',
      find: "if (isPair && left.equals(right)) throw new BadBlock('it repeats transactions')",
      put: '',
      breaks: 'A block host shows a payment twice.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/chain/work.ts`, tests: [...pure, ...hosts] }, [
    {
      name: 'utxo: work is claimed and not done',
      find: "return powHash(header, rules) <= target ? null : 'it does not carry the work that it claims'",
      put: 'return null',
      breaks: 'A branch costs a liar nothing.',
    },
    {
      name: 'utxo: a difficulty may fall between two adjustments',
      find: "return bits === parent.bits ? null : 'its difficulty moved between two adjustments'",
      put: 'return null',
      breaks: 'A branch is mined on a laptop.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/settings/config.ts`, tests: watch }, [
    {
      name: 'utxo: a merchant may ask for fewer blocks than the operator',
      find: 'return Math.max(blocksOf(chain.depths) ?? DEPTH_MAX, blocksOf(own) ?? 0)',
      put: 'return blocksOf(own) ?? blocksOf(chain.depths) ?? DEPTH_MAX',
      breaks: 'A large order is paid by a block that is easily taken back.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/node/branch.ts`, tests: hosts }, [
    {
      name: 'utxo: a stranger’s headers are not checked',
      find: 'if (!source.isOwn) await check(',
      put: 'if (source.isOwn) await check(',
      breaks: 'Whoever runs a block host pays orders with invented blocks.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/watch.ts`, tests: hosts }, [
    {
      name: 'utxo: a stranger’s branch needs no more work than ours',
      find: 'return (weights.get(heaviest) ?? 0n) > 0n ? heaviest : null',
      put: 'return heaviest',
      breaks: 'A stale host turns back blocks that were read, again and again.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/record.ts`, tests: watch }, [
    {
      name: 'utxo: a payment that a reorg moved is told as gone',
      find: 'const gone = before.filter((row) => !stays.has(row.key))',
      put: 'const gone = before',
      breaks: 'Every reorg of one block is a lost payment for the merchant.',
    },
    {
      name: 'utxo: a coin that a block spends otherwise is still awaited',
      find: 'for (const [rival, rows] of replacedBy(await listWaiting(tx, chain.id), a.spends)) {',
      put: 'for (const [rival, rows] of replacedBy([], a.spends)) {',
      breaks: 'A payer shows a payment that he took back, and the order waits.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/in-time.ts`, tests: [`${rail}/watch/in-time.test.ts`] }, [
    {
      name: 'utxo: what was announced in time is late when its block is read',
      find: '  return a.announcedAt\n',
      put: '  return minedAt\n',
      breaks: 'A payer who paid in time gets his money back instead of his goods, and a miner makes late money timely.',
    },
    {
      name: 'utxo: a header from the future makes a payment late',
      find: 'const minedAt = earlierOf(a.headerTime, a.readAt)',
      put: 'const minedAt = a.headerTime',
      breaks: 'A sale is lost to the clock of a miner.',
    },
    {
      name: 'utxo: a node’s clock makes late money timely',
      find: 'return isBefore && a.since !== null ? a.since : a.told',
      put: 'return a.told',
      breaks: 'A node whose clock is behind has late money settle at an old rate.',
    },
  ]),
  ...plant({ file: `${rail}/watch/record.ts`, tests: [`${rail}/watch/in-time.test.ts`] }, [
    {
      name: 'utxo: what a reorg returned is late when it is mined again',
      find: ', a.seenBefore.get(`${output.txid}:${output.vout}`)]',
      put: ']',
      breaks: 'A reorg makes a timely payment late, and its order fails.',
    },
  ]),
  ...plant({ file: `${model}/ledger.ts`, tests: [`${model}/apply.test.ts`] }, [
    {
      name: 'order rules: a piece that went back to the stock is sold by an old header',
      find: "isFromStock(order) && order.status === 'expired'",
      put: "isFromStock(order) && order.status === 'failed'",
      breaks: 'The last piece is sold twice.',
    },
  ]),
  ...plant({ file: `${rail}/refund/sign.ts`, tests: [`${rail}/refund/draft.test.ts`] }, [
    {
      name: 'utxo: a refund that was drawn up is drawn up anew with other coins',
      find: 'const must = draft === null ||',
      put: 'const must = draft !== null ||',
      breaks: 'A refund that is replaced is valid beside its replacement, and is paid twice.',
    },
  ]),
  ...plant({ file: `${rail}/refund/draft.ts`, tests: [`${rail}/refund/draft.test.ts`] }, [
    {
      name: 'utxo: a refund in the mempool is drawn up again',
      find: "return isAnnounced && seen.pays ? spent(inPool) : { kind: 'free' }",
      put: "return { kind: 'free' }",
      breaks: 'A refund that the payment link has sent is signed as well, and is paid twice.',
    },
    {
      name: 'utxo: one block is enough for another refund to be drawn up',
      find: 'if (depth >= deep)',
      put: 'if (depth > 0)',
      breaks: 'A reorg makes the first transaction valid again, and the refund is paid twice.',
    },
  ]),
  ...plant({ file: `${rail}/chain/networks.ts`, tests: [`${rail}/refund/coins.test.ts`] }, [
    {
      name: 'utxo: Litecoin has the dust of Bitcoin',
      find: 'relay: { least: 1_000n, dust: 30_000n },',
      put: 'relay: { least: 1_000n, dust: 3_000n },',
      breaks: 'No node takes the refund that the wallet signed.',
    },
  ]),
  ...plant({ file: `${rail}/rail.ts`, tests: [`${rail}/watch/in-time.test.ts`] }, [
    {
      name: 'utxo: an order expires before its deadline was read',
      find: 'deadlines.get(id)?.getTime() ?? 0)',
      put: '0)',
      breaks: 'What was announced in the last seconds is found when its piece is sold to another.',
    },
  ]),
  ...plant({ file: `${rail}/watch/refunds.ts`, tests: watch }, [
    {
      name: 'utxo: less than a refund fulfils it',
      find: 'one.amount !== row.amount || restOf(one) !== row.amount || maker',
      put: 'restOf(one) === 0n || maker',
      breaks: 'A payer gets a satoshi back instead of his money.',
    },
    {
      name: 'utxo: an older payment to the address fulfils a refund',
      find: 'return at === undefined ? one.height >= row.askedFrom :',
      put: 'return at === undefined ? true :',
      breaks: 'A refund is called done that nobody made.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/settle.ts`, tests: watch }, [
    {
      name: 'utxo: a settlement stays final when its payment left',
      find: "if (row.state === 'final' && row.gross <= known) {",
      put: "if (row.state === 'final') {",
      breaks: 'The merchant reads "paid" and has nothing.',
    },
    {
      name: 'utxo: the fee is taken from what nobody holds',
      find: '...{ gross, fee: 0n, amountOut: gross },',
      put: '...{ gross, fee: gross / 100n, amountOut: gross },',
      breaks: 'Books claim a fee that stands in the merchant’s wallet.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/rail.ts`, tests: watch }, [
    {
      name: 'utxo: orders expire while the chain is not read',
      find: 'if (cursor === undefined || cursor.note !== null ||',
      put: 'if (cursor === undefined || cursor.note === null ||',
      breaks: 'A payment of the last minute is lost while the node is away.',
    },
  ]),
  ...plant({ file: `${rail}/watch/refunds.ts`, tests: [`${rail}/watch/refunds.test.ts`] }, [
    {
      name: 'utxo: the payment of one order is the refund of another',
      find: 'outputs.filter((one) => !payAddresses.has(one.script)).map(',
      put: 'outputs.filter(() => payAddresses.size >= 0).map(',
      breaks: 'A refund is closed that nobody sent, and the payer never sees his money.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${model}/refunds/refundable.ts`, tests: [`${rail}/watch/refunds.test.ts`] }, [
    {
      name: 'utxo: what a reorg gave back waits for no address any more',
      find: '(failedCount && !isAskedAnew(row))',
      put: 'failedCount',
      breaks: 'A payer’s surplus is stuck for good after a reorg of one block, and nobody is told.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/rail.ts`, tests: [`${rail}/watch/refunds.test.ts`] }, [
    {
      name: 'utxo: a refund goes to an address that orders are paid at',
      find: '(await parts.addresses.isOurs?.(parts.sql, [script])) === true',
      put: 'false',
      breaks: 'A refund waits for ever, or is paid into another order.',
    },
  ]),
  ...plant({ file: `${model}/ledger.ts`, tests: watch }, [
    {
      name: 'utxo: an order expires while its payment waits for a block',
      find: 'return there + sum(announced, amountOf) >= requiredOn(order, leg)',
      put: 'return false',
      breaks: 'A payer who paid in time finds the order expired, because blocks are slow.',
    },
  ]),
  ...plant({ file: `${rail}/refund/sign.ts`, tests: [`${rail}/refund/sign.test.ts`] }, [
    {
      name: 'utxo: a refund to sign spends coins that are gone',
      find: 'return told != null && parseDecimal(String(told.value), 8) === coin.amount',
      put: 'return told !== undefined || coin.amount > 0n',
      breaks: 'The merchant signs a transaction that no node takes.',
      unseen: true,
    },
    {
      name: 'utxo: the change of a refund is the payer’s',
      find: 'outputs.push({ amount: choice.change, scriptPubKey: change.script, key: key(change.index) })',
      put: 'outputs.push({ amount: choice.change, scriptPubKey: refund.script, key: key(change.index) })',
      breaks: 'A payer gets the whole coin back instead of his surplus.',
    },
  ]),
  ...plant({ file: `${rail}/watch/refunds.ts`, tests: [`${rail}/refund/whose.test.ts`] }, [
    {
      name: 'utxo: a transfer of unknown coins ends a refund that two merchants wait for',
      find: "return maker === 'own' || !isAnyones(one, row)",
      put: 'return true',
      breaks: 'What one merchant sent ends the refund of another, and the payer never gets the other.',
    },
    {
      name: 'utxo: what was announced before it was asked for is a refund',
      find: 'one.height >= row.askedFrom : at >= row.createdAt',
      put: 'one.height >= row.askedFrom : at > new Date(0)',
      breaks: 'A payment of something else closes a refund that the payer never gets.',
      unseen: true,
    },
    {
      name: 'utxo: coins of another merchant are a refund',
      find: "return merchants.length > 0 || paying.has(txid) ? 'another' : 'unknown'",
      put: "return paying.has(txid) ? 'another' : 'unknown'",
      breaks: 'A merchant pays, and the refund of another is closed by it.',
      unseen: true,
    },
    {
      name: 'utxo: the change of a payment is a refund',
      find: "return merchants.length > 0 || paying.has(txid) ? 'another' : 'unknown'",
      put: "return merchants.length > 0 ? 'another' : 'unknown'",
      breaks: 'A payer who pays again closes the refund that he waits for.',
      unseen: true,
    },
    {
      name: 'utxo: a refund takes what one after the settlement waits for',
      find: '!awaited.has(`${one.script} ${one.amount}`)',
      put: 'one.amount > 0n',
      breaks: 'The transfer of one merchant ends the refund of another.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/refund/outside.ts`, tests: [`${rail}/refund/whose.test.ts`] }, [
    {
      name: 'utxo: an own refund of another amount is recorded',
      find: 'amount === least && taken.byRail === 0',
      put: 'taken.byRail === 0',
      breaks: 'A payer is told of a refund that he did not get.',
    },
    {
      name: 'utxo: one output pays any number of refunds',
      find: 'amount - taken.amount >= least',
      put: 'amount >= least',
      breaks: 'A payer who got one refund of two has both in the books.',
    },
  ]),
  ...plant({ file: `${rail}/watch/refunds.ts`, tests: [`${rail}/refund/whose.test.ts`] }, [
    {
      name: 'utxo: one output ends any number of refunds',
      find: 'restOf(one) >= row.amount && makerOf',
      put: 'one.amount >= row.amount && makerOf',
      breaks: 'As above, of refunds that Florin asks a wallet for.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/address/payees.ts`, tests: [`${rail}/refund/outside.test.ts`] }, [
    {
      name: 'utxo: a refund on a test network is asked for in the main network’s words',
      find: "networkOf(a.chain, a.livemode ? 'main' : 'regtest')",
      put: "networkOf(a.chain, 'main')",
      breaks: 'Who copies the address sends to nobody.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/refund/outside.ts`, tests: [`${rail}/refund/outside.test.ts`] }, [
    {
      name: 'utxo: an own refund was there before it was asked for',
      find: 'return firstSeen === undefined ? BigInt(height) < asked.fromHeight : firstSeen < asked.at',
      put: 'return false',
      breaks: 'Whoever sees a transfer asks for the same, and has it recorded as a refund.',
    },
    {
      name: 'utxo: an own refund counts before it is deep',
      find: 'cursor.height - (chain.depths.at(-1)?.blocks ?? 1) + 1',
      put: 'cursor.height + 1 - 1',
      breaks: 'A refund that a reorg takes back is recorded for good.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${model}/ledger.ts`, tests: [`${rail}/watch/covered.test.ts`] }, [
    {
      name: 'utxo: however little comes again settles what left the chain',
      find: 'return required < gross ? required : gross',
      put: 'return required < gross ? 1n : gross',
      breaks: 'A merchant ships for a satoshi.',
    },
  ]),
]
