// Generated from TestProxy by script/compile.ts: do not edit.
export const testProxyAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "implementation",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "stateMutability": "payable",
    "type": "fallback"
  }
] as const

/** Creation code, without constructor arguments. */
export const testProxyBytecode: `0x${string}` = '0x6080604052348015600e575f5ffd5b5060405160c638038060c6833981016040819052602991604f565b7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc55607a565b5f60208284031215605e575f5ffd5b81516001600160a01b03811681146073575f5ffd5b9392505050565b60418060855f395ff3fe6080604052365f5f375f5f365f7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d5f5f3e80603c573d5ffd5b503d5ff3'
