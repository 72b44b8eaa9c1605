// Generated from TestUsdc by script/compile.ts: do not edit.
export const testUsdcAbi = [
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
        "name": "who",
        "type": "address"
      }
    ],
    "name": "isBlacklisted",
    "outputs": [
      {
        "internalType": "bool",
        "name": "blocked",
        "type": "bool"
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
    "name": "name",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "paused",
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
        "internalType": "address",
        "name": "who",
        "type": "address"
      },
      {
        "internalType": "bool",
        "name": "blocked",
        "type": "bool"
      }
    ],
    "name": "setBlacklisted",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bool",
        "name": "on",
        "type": "bool"
      }
    ],
    "name": "setPaused",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "symbol",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
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
export const testUsdcBytecode: `0x${string}` = '0x6080604052348015600e575f5ffd5b506106da8061001c5f395ff3fe608060405234801561000f575f5ffd5b50600436106100cf575f3560e01c8063645b569d1161007d578063a9059cbb11610058578063a9059cbb14610217578063d01dd6d21461022a578063fe575a8714610262575f5ffd5b8063645b569d146101a957806370a08231146101bc57806395d89b41146101db575f5ffd5b8063313ce567116100ad578063313ce5671461015f57806340c10f19146101795780635c975abb1461018c575f5ffd5b806306fdde03146100d357806316c38b3c1461012557806318160ddd14610148575b5f5ffd5b61010f6040518060400160405280600d81526020017f546573742055534420436f696e0000000000000000000000000000000000000081525081565b60405161011c9190610526565b60405180910390f35b61014661013336600461056f565b6002805460ff1916911515919091179055565b005b61015160015481565b60405190815260200161011c565b610167600681565b60405160ff909116815260200161011c565b6101466101873660046105a5565b610284565b6002546101999060ff1681565b604051901515815260200161011c565b6101466101b73660046105cd565b610292565b6101516101ca366004610642565b5f6020819052908152604090205481565b61010f6040518060400160405280600481526020017f555344430000000000000000000000000000000000000000000000000000000081525081565b6101996102253660046105a5565b6102da565b61014661023836600461065b565b6001600160a01b03919091165f908152600360205260409020805460ff1916911515919091179055565b610199610270366004610642565b60036020525f908152604090205460ff1681565b61028e82826103f2565b5050565b5f5b828110156102d4576102cc8484838181106102b1576102b161068c565b90506020020160208101906102c69190610642565b836103f2565b600101610294565b50505050565b6002545f9060ff16156103345760405162461bcd60e51b815260206004820152601060248201527f5061757361626c653a207061757365640000000000000000000000000000000060448201526064015b60405180910390fd5b335f9081526003602052604090205460ff1615801561036b57506001600160a01b0383165f9081526003602052604090205460ff16155b6103dd5760405162461bcd60e51b815260206004820152602560248201527f426c61636b6c69737461626c653a206163636f756e7420697320626c61636b6c60448201527f6973746564000000000000000000000000000000000000000000000000000000606482015260840161032b565b6103e833848461047a565b5060015b92915050565b6001600160a01b0382165f90815260208190526040812080548392906104199084906106b4565b925050819055508060015f82825461043191906106b4565b90915550506040518181526001600160a01b038316905f907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9060200160405180910390a35050565b6001600160a01b0383165f90815260208190526040812080548392906104a19084906106c7565b90915550506001600160a01b0382165f90815260208190526040812080548392906104cd9084906106b4565b92505081905550816001600160a01b0316836001600160a01b03167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef8360405161051991815260200190565b60405180910390a3505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b8035801515811461056a575f5ffd5b919050565b5f6020828403121561057f575f5ffd5b6105888261055b565b9392505050565b80356001600160a01b038116811461056a575f5ffd5b5f5f604083850312156105b6575f5ffd5b6105bf8361058f565b946020939093013593505050565b5f5f5f604084860312156105df575f5ffd5b833567ffffffffffffffff8111156105f5575f5ffd5b8401601f81018613610605575f5ffd5b803567ffffffffffffffff81111561061b575f5ffd5b8660208260051b840101111561062f575f5ffd5b6020918201979096509401359392505050565b5f60208284031215610652575f5ffd5b6105888261058f565b5f5f6040838503121561066c575f5ffd5b6106758361058f565b91506106836020840161055b565b90509250929050565b634e487b7160e01b5f52603260045260245ffd5b634e487b7160e01b5f52601160045260245ffd5b808201808211156103ec576103ec6106a0565b818103818111156103ec576103ec6106a056'
