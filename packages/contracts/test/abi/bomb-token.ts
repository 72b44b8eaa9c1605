// Generated from BombToken by script/compile.ts: do not edit.
export const bombTokenAbi = [
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
export const bombTokenBytecode: `0x${string}` = '0x6080604052348015600e575f5ffd5b506103308061001c5f395ff3fe608060405234801561000f575f5ffd5b506004361061006f575f3560e01c8063645b569d1161004d578063645b569d146100be57806370a08231146100d1578063a9059cbb146100f0575f5ffd5b806318160ddd14610073578063313ce5671461008f57806340c10f19146100a9575b5f5ffd5b61007c60015481565b6040519081526020015b60405180910390f35b610097600681565b60405160ff9091168152602001610086565b6100bc6100b736600461023a565b610113565b005b6100bc6100cc366004610262565b610121565b61007c6100df3660046102d7565b5f6020819052908152604090205481565b6101036100fe36600461023a565b610169565b6040519015158152602001610086565b61011d8282610170565b5050565b5f5b828110156101635761015b848483818110610140576101406102f7565b905060200201602081019061015591906102d7565b83610170565b600101610123565b50505050565b620186a05ffd5b73ffffffffffffffffffffffffffffffffffffffff82165f90815260208190526040812080548392906101a490849061030b565b925050819055508060015f8282546101bc919061030b565b909155505060405181815273ffffffffffffffffffffffffffffffffffffffff8316905f907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9060200160405180910390a35050565b803573ffffffffffffffffffffffffffffffffffffffff81168114610235575f5ffd5b919050565b5f5f6040838503121561024b575f5ffd5b61025483610212565b946020939093013593505050565b5f5f5f60408486031215610274575f5ffd5b833567ffffffffffffffff81111561028a575f5ffd5b8401601f8101861361029a575f5ffd5b803567ffffffffffffffff8111156102b0575f5ffd5b8660208260051b84010111156102c4575f5ffd5b6020918201979096509401359392505050565b5f602082840312156102e7575f5ffd5b6102f082610212565b9392505050565b634e487b7160e01b5f52603260045260245ffd5b8082018082111561032a57634e487b7160e01b5f52601160045260245ffd5b9291505056'
