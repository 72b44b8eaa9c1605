// Generated from DepositVault by script/compile.ts: do not edit.
export const depositVaultAbi = [
  {
    "inputs": [],
    "stateMutability": "nonpayable",
    "type": "constructor"
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
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotFactory",
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
    "inputs": [],
    "name": "FACTORY",
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
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "a",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "x",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "b",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "y",
        "type": "uint256"
      }
    ],
    "name": "pay",
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
export const depositVaultBytecode: `0x${string}` = '0x60a080604052346028573360805261024f908161002d8239608051818181608e01526101030152f35b5f80fdfe608080604052600436101561001c575b50361561001a575f80fd5b005b5f3560e01c9081632dd31000146100f1575063dd0512691461003e575f61000f565b346100ed5760a03660031901126100ed576004356001600160a01b03811681036100ed576024356001600160a01b03811681036100ed576064356001600160a01b03811681036100ed57608435917f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031633036100da576100ca906044359085610132565b816100d157005b61001a92610132565b635aa8141760e11b5f523360045260245ffd5b5f80fd5b346100ed575f3660031901126100ed577f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b6001600160a01b03811690816101745750505f808080858561ea60f115610157575050565b63296c17bb60e21b5f5260018060a01b031660045260245260445ffd5b60405163a9059cbb60e01b81526001600160a01b0390931660048401819052602484018590525f808052909492936020919060449082855af1903d15610246575060015f5114601f3d1116165b156101cb57505050565b9060a4913d9060a0821161023d575b604051908282526020820192805f853e603f601f199101168201958694856040526311a2d17d60e11b8652600486015260248501526044840152608060648401525180918160848501528484015e5f828201840152601f01601f19168101030190fd5b60a091506101da565b3b1515166101c156'

/** Code on the chain with zeros for the immutables, the keccak-256 of that, and the byte offsets of each immutable. */
export const depositVaultRuntime: { code: `0x${string}`; hash: `0x${string}`; immutables: Record<string, readonly number[]> } = {
  "code": "0x608080604052600436101561001c575b50361561001a575f80fd5b005b5f3560e01c9081632dd31000146100f1575063dd0512691461003e575f61000f565b346100ed5760a03660031901126100ed576004356001600160a01b03811681036100ed576024356001600160a01b03811681036100ed576064356001600160a01b03811681036100ed57608435917f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031633036100da576100ca906044359085610132565b816100d157005b61001a92610132565b635aa8141760e11b5f523360045260245ffd5b5f80fd5b346100ed575f3660031901126100ed577f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b6001600160a01b03811690816101745750505f808080858561ea60f115610157575050565b63296c17bb60e21b5f5260018060a01b031660045260245260445ffd5b60405163a9059cbb60e01b81526001600160a01b0390931660048401819052602484018590525f808052909492936020919060449082855af1903d15610246575060015f5114601f3d1116165b156101cb57505050565b9060a4913d9060a0821161023d575b604051908282526020820192805f853e603f601f199101168201958694856040526311a2d17d60e11b8652600486015260248501526044840152608060648401525180918160848501528484015e5f828201840152601f01601f19168101030190fd5b60a091506101da565b3b1515166101c156",
  "hash": "0x86dcc221dea265d301c8cfbd98c6d4c1bbdfe02d75c5ba06fb96620857437185",
  "immutables": {
    "FACTORY": [
      142,
      259
    ]
  }
}
