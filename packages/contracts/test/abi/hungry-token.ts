// Generated from HungryToken by script/compile.ts: do not edit.
export const hungryTokenAbi = [
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
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
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
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const

/** Creation code, without constructor arguments. */
export const hungryTokenBytecode: `0x${string}` = '0x6080604052348015600e575f5ffd5b506103f48061001c5f395ff3fe608060405234801561000f575f5ffd5b506004361061006f575f3560e01c8063645b569d1161004d578063645b569d146100be57806370a08231146100d1578063a9059cbb146100f0575f5ffd5b806318160ddd14610073578063313ce5671461008f57806340c10f19146100a9575b5f5ffd5b61007c60015481565b6040519081526020015b60405180910390f35b610097600681565b60405160ff9091168152602001610086565b6100bc6100b73660046102e9565b610113565b005b6100bc6100cc366004610311565b610121565b61007c6100df366004610386565b5f6020819052908152604090205481565b6101036100fe3660046102e9565b610169565b6040519015158152602001610086565b61011d828261019a565b5050565b5f5b828110156101635761015b848483818110610140576101406103a6565b90506020020160208101906101559190610386565b8361019a565b600101610123565b50505050565b5f610175338484610222565b5f5a90505b6207a1205a61018990836103ce565b1061017a5760019150505b92915050565b6001600160a01b0382165f90815260208190526040812080548392906101c19084906103e1565b925050819055508060015f8282546101d991906103e1565b90915550506040518181526001600160a01b038316905f907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9060200160405180910390a35050565b6001600160a01b0383165f90815260208190526040812080548392906102499084906103ce565b90915550506001600160a01b0382165f90815260208190526040812080548392906102759084906103e1565b92505081905550816001600160a01b0316836001600160a01b03167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef836040516102c191815260200190565b60405180910390a3505050565b80356001600160a01b03811681146102e4575f5ffd5b919050565b5f5f604083850312156102fa575f5ffd5b610303836102ce565b946020939093013593505050565b5f5f5f60408486031215610323575f5ffd5b833567ffffffffffffffff811115610339575f5ffd5b8401601f81018613610349575f5ffd5b803567ffffffffffffffff81111561035f575f5ffd5b8660208260051b8401011115610373575f5ffd5b6020918201979096509401359392505050565b5f60208284031215610396575f5ffd5b61039f826102ce565b9392505050565b634e487b7160e01b5f52603260045260245ffd5b634e487b7160e01b5f52601160045260245ffd5b81810381811115610194576101946103ba565b80820180821115610194576101946103ba56'
