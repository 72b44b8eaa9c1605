// Generated from FalseToken by script/compile.ts: do not edit.
export const falseTokenAbi = [
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Transfer",
    "type": "event"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "who",
        "type": "address"
      }
    ],
    "name": "balanceOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "units",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "decimals",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "mint",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address[]",
        "name": "to",
        "type": "address[]"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "mintMany",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalSupply",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "name": "transfer",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  }
] as const

/** Creation code, without constructor arguments. */
export const falseTokenBytecode: `0x${string}` = '0x6080604052348015600e575f5ffd5b5061032b8061001c5f395ff3fe608060405234801561000f575f5ffd5b506004361061006f575f3560e01c8063645b569d1161004d578063645b569d146100be57806370a08231146100d1578063a9059cbb146100f0575f5ffd5b806318160ddd14610073578063313ce5671461008f57806340c10f19146100a9575b5f5ffd5b61007c60015481565b6040519081526020015b60405180910390f35b610097600681565b60405160ff9091168152602001610086565b6100bc6100b736600461023b565b610113565b005b6100bc6100cc366004610263565b610121565b61007c6100df3660046102d8565b5f6020819052908152604090205481565b6101036100fe36600461023b565b610169565b6040519015158152602001610086565b61011d8282610171565b5050565b5f5b828110156101635761015b848483818110610140576101406102f8565b905060200201602081019061015591906102d8565b83610171565b600101610123565b50505050565b5f5b92915050565b73ffffffffffffffffffffffffffffffffffffffff82165f90815260208190526040812080548392906101a590849061030c565b925050819055508060015f8282546101bd919061030c565b909155505060405181815273ffffffffffffffffffffffffffffffffffffffff8316905f907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9060200160405180910390a35050565b803573ffffffffffffffffffffffffffffffffffffffff81168114610236575f5ffd5b919050565b5f5f6040838503121561024c575f5ffd5b61025583610213565b946020939093013593505050565b5f5f5f60408486031215610275575f5ffd5b833567ffffffffffffffff81111561028b575f5ffd5b8401601f8101861361029b575f5ffd5b803567ffffffffffffffff8111156102b1575f5ffd5b8660208260051b84010111156102c5575f5ffd5b6020918201979096509401359392505050565b5f602082840312156102e8575f5ffd5b6102f182610213565b9392505050565b634e487b7160e01b5f52603260045260245ffd5b8082018082111561016b57634e487b7160e01b5f52601160045260245ffd'
