// Generated from StipendSender by script/compile.ts: do not edit.
export const stipendSenderAbi = [
  {
    "inputs": [
      {
        "internalType": "address payable",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "sendCall",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address payable",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "sendStipend",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  }
] as const

/** Creation code, without constructor arguments. */
export const stipendSenderBytecode: `0x${string}` = '0x6080604052348015600e575f5ffd5b506101b58061001c5f395ff3fe608060405260043610610028575f3560e01c806303654c1e1461002c57806371369d5c14610041575b5f5ffd5b61003f61003a36600461017b565b610054565b005b61003f61004f36600461017b565b610125565b5f8173ffffffffffffffffffffffffffffffffffffffff16345f906040515f60405180830381858888f193505050503d805f81146100ad576040519150601f19603f3d011682016040523d82523d5f602084013e6100b2565b606091505b5050905080610121576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152600760248201527f7265667573656400000000000000000000000000000000000000000000000000604482015260640160405180910390fd5b5050565b5f8173ffffffffffffffffffffffffffffffffffffffff16346040515f6040518083038185875af1925050503d805f81146100ad576040519150601f19603f3d011682016040523d82523d5f602084013e6100b2565b5f6020828403121561018b575f5ffd5b813573ffffffffffffffffffffffffffffffffffffffff811681146101ae575f5ffd5b939250505056'
