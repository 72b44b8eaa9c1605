// Bugs in the way out: proofs, the journal, the recovery seed, and the calls that move money without Florin.
import { type Mutant, plant } from '../plant.ts'

const exit = 'packages/exit'
const server = 'packages/server/src'
const open = 'packages/rail-evm/src/address/open.test.ts'

const journal = [
  ...plant({ file: 'packages/rail-evm/src/address/open.ts', tests: [open] }, [
    {
      name: 'exit: the ref of a leg is that of its order',
      find: 'parts.journal.refOf(request.legRef)',
      put: 'parts.journal.refOf(request.orderRef)',
      breaks: 'Legs of one order cannot be told apart by what the chain says of them.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${exit}/src/journal/format.ts`, tests: [`${exit}/test/journal.test.ts`] }, [
    {
      name: 'exit: records of the journal can be swapped',
      find: 'nonce.writeBigUInt64BE(BigInt(n), 4)',
      put: 'nonce.writeBigUInt64BE(BigInt(n & 0), 4)',
      breaks: 'All records of a file share a nonce, and who has two can read both.',
    },
    {
      name: 'exit: reading stops at a damaged record',
      find: 'if (entry === null) file.damaged += 1',
      put: 'if (entry === null) break',
      breaks: 'One bad sector costs all addresses of a day behind it.',
    },
  ]),
  ...plant({ file: `${exit}/src/journal/write.ts`, tests: [`${exit}/test/journal.test.ts`] }, [
    {
      name: 'exit: a journal that failed once fails for ever',
      find: '      await giveUp(file)\n      file = null',
      put: '      await giveUp(file)',
      breaks: 'After a full disk no order can be paid until somebody restarts the service.',
    },
  ]),
  ...plant({ file: `${exit}/src/journal/seed.ts`, tests: [`${exit}/test/journal.test.ts`] }, [
    {
      name: 'exit: a mistyped seed is taken',
      find: 'if (!checkOf(seed).equals(bytes.subarray(SEED_BYTES)))',
      put: 'if (seed.length !== SEED_BYTES)',
      breaks: 'The operator learns that the copy of the seed is wrong when the database is gone.',
    },
  ]),
  ...plant({ file: `${server}/sealed.ts`, tests: [`${server}/recovery/recovery.test.ts`] }, [
    {
      name: 'exit: a change of the master key forgets the seed',
      find: 'sealedNotices, sealedSeed]',
      put: 'sealedNotices]',
      breaks: 'Once the former key is thrown away the journal cannot be read, and no order can be made.',
      unseen: true,
    },
  ]),
]

const proofs = [
  ...plant({ file: `${server}/orders/view.ts`, tests: [`${server}/checkout/checkout.test.ts`] }, [
    {
      name: 'pay link: it asks for the whole amount after a part payment',
      find: 'return received > 0n ? uriForAmount',
      put: 'return received < 0n ? uriForAmount',
      breaks: 'A payer who scans the code again sends too much.',
      only: 'bad choices',
    },
  ]),
  ...plant({ file: `${server}/orders/view.ts`, tests: [`${server}/checkout/proof.test.ts`] }, [
    {
      name: 'exit: everybody is shown the newest leg’s proof',
      find: '    proof: leg.proof,',
      put: '    proof: order.legs.at(-1)?.proof ?? leg.proof,',
      breaks: 'Whoever holds the link learns the private pay address and refund address of a payer’s browser.',
    },
  ]),
  ...plant({ file: `${exit}/src/proof.ts`, tests: [`${exit}/test/proof.test.ts`] }, [
    {
      name: 'exit: a changed proof is believed',
      find: 'if (vault !== vaultOf(factory, impl, route)) {',
      put: 'if (vault === factory) {',
      breaks: 'People look at one address and send for another.',
    },
  ]),
]

const calls = [
  ...plant({ file: `${exit}/src/calls.ts`, tests: [`${exit}/test/calls.test.ts`] }, [
    {
      name: 'exit: a payment of exactly the least amount is called short',
      find: 'chainId === home && token === route.token && units >= route.minAmount',
      put: 'chainId === home && token === route.token && units > route.minAmount',
      breaks: 'The page says that money goes back which the contract sends to the merchant.',
      unseen: true,
    },
    {
      name: 'exit: a relayer key settles what is too little',
      find: 'if (chainId === exit.chainId && isPaid) {',
      put: 'if (chainId === exit.chainId && (isPaid || route.refundTo === ZERO)) {',
      breaks: 'The operator’s key pays a merchant an underpayment that the documents say waits.',
    },
    {
      name: 'exit: a rescue is offered within its week',
      find: 'Math.max(opensAt, failedAt + RESCUE_DELAY)',
      put: 'Math.max(opensAt, failedAt)',
      breaks: 'People pay gas for calls that revert.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/cli/src/exit/cost.ts', tests: ['packages/cli/test/exit.test.ts'] }, [
    {
      name: 'exit: any price of gas is signed',
      find: 'if (needed > bound) {',
      put: 'if (needed > bound && bound === 0n) {',
      breaks: 'A lying node burns the account that pays the gas.',
    },
    {
      name: 'exit: any amount of gas is signed',
      find: 'if (gas > GAS_MAX) {',
      put: 'if (gas > GAS_MAX * GAS_MAX) {',
      breaks: 'A lying node has more gas signed than any call takes.',
    },
  ]),
  ...plant({ file: `${exit}/src/code.ts`, tests: ['packages/cli/test/exit.test.ts'] }, [
    {
      name: 'exit: any code is taken for the factory',
      find: 'return hexOf(keccak_256(bytes)) === runtime.hash',
      put: 'return hexOf(keccak_256(bytes)) !== "0x"',
      breaks: 'A forged factory makes a vault look settled, or takes what is sent to it.',
    },
  ]),
  ...plant({ file: 'packages/cli/src/exit/nodes.ts', tests: ['packages/cli/test/exit.test.ts'] }, [
    {
      name: 'exit: the second node is not listened to',
      find: 'if (difference !== null) throw',
      put: 'if (difference === null) continue\n    if (others.length > 1) throw',
      breaks: 'One lying node decides what people believe lies there.',
      unseen: true,
    },
  ]),
]

const announced = [
  ...plant({ file: `${exit}/src/calls.ts`, tests: [`${exit}/test/calls.test.ts`] }, [
    {
      name: 'exit: an announced refund takes what is the merchant’s',
      find: 'const isByName = isPaidBy(exit, chainId, holding)',
      put: 'const isByName = chainId < 0 && isPaidBy(exit, chainId, holding)',
      breaks: 'Who has the refunder key for a day gets a full payment by the hand of whoever runs the exit.',
    },
  ]),
  ...plant({ file: `${exit}/src/announced.ts`, tests: ['packages/cli/test/exit.test.ts'], only: 'was announced' }, [
    {
      name: 'exit: what was struck out is offered',
      find: 'return opensAt === 0 || block.time > closesAt ? [] :',
      put: 'return opensAt < 0 ? [] :',
      breaks: 'People pay gas for calls that revert.',
      unseen: true,
    },
    {
      name: 'exit: one refusal ends the search for announcements',
      find: 'if (step === 1n) throw error',
      put: 'if (step >= 1n) throw error',
      breaks: 'With most nodes a refund that was promised is not found, and lapses.',
      unseen: true,
    },
  ]),
]

export const exitMutants: readonly Mutant[] = [...journal, ...proofs, ...calls, ...announced]
