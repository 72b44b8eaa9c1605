// Bugs in what is read as an account of a wallet.
import { type Mutant, plant } from '../../plant.ts'

const accounts = 'packages/accounts'

export const readAccountMutants: readonly Mutant[] = [
  ...plant({ file: `${accounts}/src/parse.ts`, tests: [`${accounts}/test/exports.test.ts`] }, [
    {
      name: 'accounts: the type of script is guessed',
      find: 'if (only === undefined || others.length > 0 || sure.length === 0) {',
      put: 'if (only === undefined) {',
      breaks: 'A Ledger account is taken for another type, and the merchant never sees the money.',
    },
    {
      name: 'accounts: the chain is not proven',
      find: '  if (!only.showsChain) {',
      put: '  if (false) {',
      breaks: 'A Bitcoin account is set for Litecoin, and the wallet never shows the payments.',
      unseen: true,
    },
    {
      name: 'accounts: a Litecoin address that is one of Bitcoin too proves the chain',
      find: 'if (given.isShared && !found.showsChain) {',
      put: 'if (given.isShared && false) {',
      breaks: 'A Bitcoin wallet is set for Litecoin by its own 3… address.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${accounts}/src/options.ts`, tests: [`${accounts}/test/refusals.test.ts`] }, [
    {
      name: 'accounts: the path of change is taken',
      find: ': branch?.at(-1) === 1) {',
      put: ': branch?.length === 9) {',
      breaks: 'Payers pay to addresses that the wallet uses for its own change.',
      unseen: true,
    },
    {
      name: 'accounts: the key of the change is taken',
      find: 'branch?.length === 0 ? places.some(({ step }) => step === 1)',
      put: 'branch?.length === 0 ? false',
      breaks: 'Payers pay to addresses that the wallet uses for its own change.',
    },
  ]),
  ...plant({ file: `${accounts}/src/account.ts`, tests: [`${accounts}/test/refusals.test.ts`] }, [
    {
      name: 'accounts: a key of the same wallet is not known by its children',
      find: '[key.deriveChild(0), key.deriveChild(1), ...path]',
      put: 'path',
      breaks: 'Who sets the change of somebody’s wallet as his own account is not told of, to either.',
    },
  ]),
  ...plant(
    {
      file: `${accounts}/src/descriptor.ts`,
      tests: [`${accounts}/test/refusals.test.ts`, `${accounts}/test/vectors.test.ts`],
    },
    [
      {
        name: 'accounts: the checksum of a descriptor is not read',
        find: 'if (sum !== expected) {',
        put: 'if (sum.length !== 8) {',
        breaks: 'A slip in a descriptor gives addresses that nobody holds a key of.',
      },
    ],
  ),
  ...plant({ file: `${accounts}/src/secrets.ts`, tests: [`${accounts}/test/refusals.test.ts`] }, [
    {
      name: 'accounts: a seed in a file is not looked for',
      find: "if (typeof inner === 'string' && isPhrase(inner)) throw seed()",
      put: "if (typeof inner === 'number') throw seed()",
      breaks: 'A wallet’s seed is accepted in a note beside the key.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${accounts}/src/keys.ts`, tests: [`${accounts}/test/refusals.test.ts`] }, [
    {
      name: 'accounts: a key below the account is taken',
      find: 'if (isTop || (isOwn && (depth === 1 || depth === 3))) return',
      put: 'if (isTop || depth >= 1) return',
      breaks: 'Every address is one that the wallet does not look at.',
      unseen: true,
    },
  ]),
]
