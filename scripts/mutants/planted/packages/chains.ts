// Bugs in what is taken for an address of a chain.
import { type Mutant, plant } from '../../plant.ts'

const chains = 'packages/chains'
const vectors = [`${chains}/test/vectors.test.ts`, `${chains}/test/independent.test.ts`]

export const chainMutants: readonly Mutant[] = [
  ...plant({ file: `${chains}/src/families/evm.ts`, tests: vectors }, [
    {
      name: 'chains: EIP-55 is not checked',
      find: 'if (mixed && cased !== digits)',
      put: 'if (mixed && cased === "")',
      breaks: 'A mistyped address is taken, and money is sent to nobody.',
      unseen: true,
    },
    {
      name: 'chains: built-in contracts are payable',
      find: 'if (/^0{38}/.test(lower))',
      put: 'if (/^0{41}/.test(lower))',
      breaks: 'Money is sent to a contract that nobody can spend from.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${chains}/src/families/utxo/utxo.ts`, tests: vectors }, [
    {
      name: 'chains: taproot under the old checksum',
      find: "read.variant !== (version === 0 ? 'bech32' : 'bech32m')",
      put: "version === 0 && read.variant !== 'bech32'",
      breaks: 'An address is taken that a mistake of one character leaves valid.',
      unseen: true,
    },
    {
      name: 'chains: witness versions that anyone can spend',
      find: 'version > 1 || (version === 1 && program.length !== 32)',
      put: 'version === 1 && program.length !== 32',
      breaks: 'Money is sent where anyone can take it.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${chains}/src/families/tron.ts`, tests: vectors }, [
    {
      name: 'chains: Tron takes any network',
      find: 'if (payload[0] !== 0x41)',
      put: 'if (payload[0] === undefined)',
      breaks: 'An address of another chain is taken for one of Tron.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${chains}/src/families/stellar.ts`, tests: vectors }, [
    {
      name: 'chains: half of the Stellar checksum',
      find: 'bytes.at(-2) !== (crc & 0xff) || bytes.at(-1) !== crc >> 8',
      put: 'bytes.at(-2) !== (crc & 0xff)',
      breaks: 'One mistake in 256 goes through.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${chains}/src/families/xrpl.ts`, tests: vectors }, [
    {
      name: 'chains: XRP test addresses are taken',
      find: 'if (startsWith(payload, [0x05, 0x44]) && payload.length === 31) {',
      put: 'if (payload.length === 31) {',
      breaks: 'A malformed X-address is taken.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${chains}/src/families/solana.ts`, tests: vectors }, [
    {
      name: 'chains: programs of Solana are payable',
      find: "systemAccounts.has(text) || text.startsWith('Sysvar')",
      put: "text.startsWith('Sysvar')",
      breaks: 'Money is sent to a program that nobody can spend from.',
      unseen: true,
    },
  ]),
]
