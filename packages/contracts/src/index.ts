// The forwarder contracts for TypeScript: ABIs, bytecode, addresses worked out without a node, what a failure means.
// Nothing here touches the network; `@florin/contracts/deploy` does.
export { depositVaultAbi, depositVaultBytecode, depositVaultRuntime } from '../abi/deposit-vault.ts'
export { feeVaultAbi, feeVaultBytecode, feeVaultRuntime } from '../abi/fee-vault.ts'
export { payFactoryAbi, payFactoryBytecode, payFactoryRuntime } from '../abi/pay-factory.ts'
export { decodeFailure, type Failure } from './failure.ts'
export {
  DETERMINISTIC_DEPLOYER,
  type DeployConfig,
  type DeployPlan,
  deployPlan,
  type PlannedContract,
  vaultCodeHash,
} from './plan.ts'
export { type Item, type Route, saltOf, vaultOf } from './route.ts'
