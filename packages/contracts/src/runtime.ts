// The code that stands on a chain, alone: for programs that check it and need neither ABIs nor what deploys.
export { depositVaultRuntime } from '../abi/deposit-vault.ts'
export { payFactoryRuntime } from '../abi/pay-factory.ts'
