// Generated from Gate by script/compile.ts: do not edit.
export const gateAbi = [
  {
    "inputs": [],
    "name": "closed",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bool",
        "name": "closed_",
        "type": "bool"
      }
    ],
    "name": "setClosed",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "stateMutability": "payable",
    "type": "receive"
  }
] as const

/** Creation code, without constructor arguments. */
export const gateBytecode: `0x${string}` = '0x6080604052348015600e575f5ffd5b506101248061001c5f395ff3fe60806040526004361061002b575f3560e01c806304288dba146100a6578063597e1fb5146100d2575f5ffd5b366100a2575f5460ff16156100a0576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152600660248201527f636c6f7365640000000000000000000000000000000000000000000000000000604482015260640160405180910390fd5b005b5f5ffd5b3480156100b1575f5ffd5b506100a06100c03660046100fe565b5f805460ff1916911515919091179055565b3480156100dd575f5ffd5b505f546100ea9060ff1681565b604051901515815260200160405180910390f35b5f6020828403121561010e575f5ffd5b8135801515811461011d575f5ffd5b939250505056'
