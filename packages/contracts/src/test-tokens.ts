// Two tokens anybody can mint, shaped like USDC (answers true, blocks both sides) and USDT on Ethereum (answers nothing).
// For a devnet and for tests; never where money is real.
export { testUsdcAbi, testUsdcBytecode } from '../abi/test-usdc.ts'
export { testUsdtAbi, testUsdtBytecode } from '../abi/test-usdt.ts'
