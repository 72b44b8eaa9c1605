// Which external functions, events and errors of the contracts say nothing about themselves in the documentation that the
// compiler hands on (userdoc and devdoc), of the contract itself or of an interface it implements.
import { toFunctionSignature } from 'viem'
import type { SolcContract, SolcOutput } from '../solidity.ts'

const CONTRACTS = ['PayFactory', 'DepositVault', 'FeeVault']

/** OpenZeppelin's own, which its files leave without a word. */
const FOREIGN = ['OwnershipTransferStarted', 'OwnershipTransferred']

/** `Contract kind signature` of each that has neither notice nor details. */
export function undocumented(output: SolcOutput): string[] {
  const all = Object.values(output.contracts).flatMap((contracts) => Object.entries(contracts))
  const documented = new Set(all.flatMap(([, contract]) => documentedBy(contract)))
  return all
    .filter(([name]) => CONTRACTS.includes(name))
    .flatMap(([name, { abi }]) =>
      abi.flatMap((entry) => {
        if (entry.type !== 'function' && entry.type !== 'event' && entry.type !== 'error') return []
        if (FOREIGN.includes(entry.name)) return []
        const signature = toFunctionSignature({ ...entry, type: 'function', outputs: [], stateMutability: 'view' })
        return documented.has(`${entry.type} ${signature}`) ? [] : [`${name} ${entry.type} ${signature}`]
      }),
    )
}

const KINDS = { methods: 'function', events: 'event', errors: 'error', stateVariables: 'variable' }

function documentedBy({ userdoc, devdoc, abi }: SolcContract): string[] {
  return [userdoc, devdoc].flatMap((doc) =>
    Object.entries(KINDS).flatMap(([field, kind]) =>
      Object.entries(doc[field] ?? {}).flatMap(([signature, said]) => {
        if (!isSaid(said)) return []
        const getter = abi.some((entry) => entry.type === 'function' && entry.name === signature)
        return kind === 'variable' ? (getter ? [`function ${signature}()`] : []) : [`${kind} ${signature}`]
      }),
    ),
  )
}

/** Errors may be documented several times under one signature. */
const isSaid = (said: unknown): boolean =>
  (Array.isArray(said) ? said : [said]).some(
    (one: { notice?: string; details?: string }) => (one.notice ?? one.details ?? '').length > 0,
  )
