// Generated from FeeVault by script/compile.ts: do not edit.
export const feeVaultAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner_",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "given",
        "type": "address"
      }
    ],
    "name": "BadAddress",
    "type": "error"
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
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "NativeTransferFailed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "OwnableInvalidOwner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "OwnableUnauthorizedAccount",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "OwnerIsRequired",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "reason",
        "type": "bytes"
      }
    ],
    "name": "TokenTransferFailed",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "previousOwner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "newOwner",
        "type": "address"
      }
    ],
    "name": "OwnershipTransferStarted",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "previousOwner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "newOwner",
        "type": "address"
      }
    ],
    "name": "OwnershipTransferred",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
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
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Withdrawn",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "acceptOwnership",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "owner",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "pendingOwner",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "renounceOwnership",
    "outputs": [],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "newOwner",
        "type": "address"
      }
    ],
    "name": "transferOwnership",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "withdraw",
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
export const feeVaultBytecode: `0x${string}` = '0x60803460c157601f61045838819003918201601f19168301916001600160401b0383118484101760c55780849260209460405283398101031260c157516001600160a01b0381169081900360c157801560ae57600180546001600160a01b03199081169091555f80549182168317815560405192916001600160a01b0316907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a361037e90816100da8239f35b631e4fbdf760e01b5f525f60045260245ffd5b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe6080604052600436101561001a575b3615610018575f80fd5b005b5f3560e01c8063715018a61461033657806379ba5097146102b65780638da5cb5b1461028f578063d9caed12146100fe578063e30c3978146100d65763f2fde38b0361000e57346100d25760203660031901126100d257610079610355565b61008161036b565b60018060a01b0316806bffffffffffffffffffffffff60a01b600154161760015560018060a01b035f54167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227005f80a3005b5f80fd5b346100d2575f3660031901126100d2576001546040516001600160a01b039091168152602090f35b346100d25760603660031901126100d257610117610355565b6024356001600160a01b038116908181036100d2576044359261013861036b565b82158015610286575b6102735760018060a01b03811683817fd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb6020604051898152a35a91816101a75750505f808581948294f11561019257005b63296c17bb60e21b5f5260045260245260445ffd5b915091505f9392935060205f604460405163a9059cbb60e01b815287600482015286602482015282805282855af1903d1561026a575060015f5114601f3d1116165b156101f057005b60a4913d9060a08211610261575b604051908282526020820192805f853e603f601f199101168201958694856040526311a2d17d60e11b8652600486015260248501526044840152608060648401525180918160848501528484015e5f828201840152601f01601f19168101030190fd5b60a091506101fe565b3b1515166101e9565b82637833514560e11b5f5260045260245ffd5b50308314610141565b346100d2575f3660031901126100d2575f546040516001600160a01b039091168152602090f35b346100d2575f3660031901126100d257600154336001600160a01b03821603610323576001600160a01b03199081166001555f805433928116831782556001600160a01b0316907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a3005b63118cdaa760e01b5f523360045260245ffd5b346100d2575f3660031901126100d25763bfd28ce160e01b5f5260045ffd5b600435906001600160a01b03821682036100d257565b5f546001600160a01b031633036103235756'

/** Code on the chain with zeros for the immutables, the keccak-256 of that, and the byte offsets of each immutable. */
export const feeVaultRuntime: { code: `0x${string}`; hash: `0x${string}`; immutables: Record<string, readonly number[]> } = {
  "code": "0x6080604052600436101561001a575b3615610018575f80fd5b005b5f3560e01c8063715018a61461033657806379ba5097146102b65780638da5cb5b1461028f578063d9caed12146100fe578063e30c3978146100d65763f2fde38b0361000e57346100d25760203660031901126100d257610079610355565b61008161036b565b60018060a01b0316806bffffffffffffffffffffffff60a01b600154161760015560018060a01b035f54167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227005f80a3005b5f80fd5b346100d2575f3660031901126100d2576001546040516001600160a01b039091168152602090f35b346100d25760603660031901126100d257610117610355565b6024356001600160a01b038116908181036100d2576044359261013861036b565b82158015610286575b6102735760018060a01b03811683817fd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb6020604051898152a35a91816101a75750505f808581948294f11561019257005b63296c17bb60e21b5f5260045260245260445ffd5b915091505f9392935060205f604460405163a9059cbb60e01b815287600482015286602482015282805282855af1903d1561026a575060015f5114601f3d1116165b156101f057005b60a4913d9060a08211610261575b604051908282526020820192805f853e603f601f199101168201958694856040526311a2d17d60e11b8652600486015260248501526044840152608060648401525180918160848501528484015e5f828201840152601f01601f19168101030190fd5b60a091506101fe565b3b1515166101e9565b82637833514560e11b5f5260045260245ffd5b50308314610141565b346100d2575f3660031901126100d2575f546040516001600160a01b039091168152602090f35b346100d2575f3660031901126100d257600154336001600160a01b03821603610323576001600160a01b03199081166001555f805433928116831782556001600160a01b0316907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a3005b63118cdaa760e01b5f523360045260245ffd5b346100d2575f3660031901126100d25763bfd28ce160e01b5f5260045ffd5b600435906001600160a01b03821682036100d257565b5f546001600160a01b031633036103235756",
  "hash": "0x3090d008ea4c19b272cebf4e02445bfdefb115b2675f11f470c1be61b6f381fd",
  "immutables": {}
}
