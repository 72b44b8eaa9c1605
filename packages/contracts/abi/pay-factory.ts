// Generated from PayFactory by script/compile.ts: do not edit.
export const payFactoryAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner_",
        "type": "address"
      },
      {
        "internalType": "address[]",
        "name": "relayers",
        "type": "address[]"
      },
      {
        "internalType": "address[]",
        "name": "refunders",
        "type": "address[]"
      },
      {
        "internalType": "address[]",
        "name": "guardians",
        "type": "address[]"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      },
      {
        "internalType": "uint256",
        "name": "eta",
        "type": "uint256"
      }
    ],
    "name": "AlreadyProposed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "enum Role",
        "name": "role",
        "type": "uint8"
      },
      {
        "internalType": "address",
        "name": "who",
        "type": "address"
      },
      {
        "internalType": "bool",
        "name": "on",
        "type": "bool"
      },
      {
        "internalType": "uint256",
        "name": "eta",
        "type": "uint256"
      }
    ],
    "name": "AlreadyScheduled",
    "type": "error"
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
    "inputs": [],
    "name": "FailedDeployment",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "feeBps",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "ceilingBps",
        "type": "uint256"
      }
    ],
    "name": "FeeTooHigh",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "balance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "InsufficientBalance",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "itemGas",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "floor",
        "type": "uint256"
      }
    ],
    "name": "ItemGasTooLow",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      }
    ],
    "name": "NoProposal",
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
    "name": "NotAllowed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "index",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "gasLeft",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "NotEnoughGas",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "enum Role",
        "name": "role",
        "type": "uint8"
      },
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotRole",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "enum Role",
        "name": "role",
        "type": "uint8"
      },
      {
        "internalType": "address",
        "name": "who",
        "type": "address"
      },
      {
        "internalType": "bool",
        "name": "on",
        "type": "bool"
      }
    ],
    "name": "NotScheduled",
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
    "name": "OnlySelf",
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
    "inputs": [],
    "name": "ReentrancyGuardReentrantCall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "refundTo",
        "type": "address"
      }
    ],
    "name": "RefundIsBound",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "ref",
        "type": "bytes32"
      }
    ],
    "name": "RefundIsNotBound",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "RefundsArePaused",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "notBefore",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "nowIs",
        "type": "uint256"
      }
    ],
    "name": "TooEarly",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "notAfter",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "nowIs",
        "type": "uint256"
      }
    ],
    "name": "TooLate",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "routeChainId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "chainId",
        "type": "uint256"
      }
    ],
    "name": "WrongChain",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAmount",
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
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "vault",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "ref",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint40",
        "name": "eta",
        "type": "uint40"
      }
    ],
    "name": "RefundProposed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "by",
        "type": "address"
      }
    ],
    "name": "RefundVetoed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "vault",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "ref",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Refunded",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "address",
        "name": "by",
        "type": "address"
      }
    ],
    "name": "RefundsPaused",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "address",
        "name": "by",
        "type": "address"
      }
    ],
    "name": "RefundsUnpaused",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "enum Role",
        "name": "role",
        "type": "uint8"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "who",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "on",
        "type": "bool"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "by",
        "type": "address"
      }
    ],
    "name": "RoleCanceled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "enum Role",
        "name": "role",
        "type": "uint8"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "who",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "on",
        "type": "bool"
      }
    ],
    "name": "RoleChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "enum Role",
        "name": "role",
        "type": "uint8"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "who",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "on",
        "type": "bool"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "eta",
        "type": "uint256"
      }
    ],
    "name": "RoleScheduled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "vault",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "ref",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "bytes",
        "name": "reason",
        "type": "bytes"
      }
    ],
    "name": "SettleFailed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "vault",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "ref",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "merchant",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "gross",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "fee",
        "type": "uint256"
      }
    ],
    "name": "Settled",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "IMPL",
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
    "name": "MAX_FEE_BPS",
    "outputs": [
      {
        "internalType": "uint16",
        "name": "",
        "type": "uint16"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "MIN_ITEM_GAS",
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
    "inputs": [],
    "name": "NO_FEE_DELAY",
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
    "inputs": [],
    "name": "REFUND_DELAY",
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
    "inputs": [],
    "name": "REFUND_EXPIRY",
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
    "inputs": [],
    "name": "ROLE_DELAY",
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
    "inputs": [],
    "name": "ROLE_WINDOW",
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
    "inputs": [],
    "name": "acceptOwnership",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "enum Role",
        "name": "role",
        "type": "uint8"
      },
      {
        "internalType": "address",
        "name": "who",
        "type": "address"
      },
      {
        "internalType": "bool",
        "name": "on",
        "type": "bool"
      }
    ],
    "name": "applyRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "enum Role",
        "name": "role",
        "type": "uint8"
      },
      {
        "internalType": "address",
        "name": "who",
        "type": "address"
      },
      {
        "internalType": "bool",
        "name": "on",
        "type": "bool"
      }
    ],
    "name": "cancelRole",
    "outputs": [],
    "stateMutability": "nonpayable",
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
    "name": "dropRefunder",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "chainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "ref",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "merchant",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collector",
            "type": "address"
          },
          {
            "internalType": "uint16",
            "name": "feeBps",
            "type": "uint16"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "openAfter",
            "type": "uint40"
          },
          {
            "internalType": "address",
            "name": "refundTo",
            "type": "address"
          }
        ],
        "internalType": "struct Route",
        "name": "route",
        "type": "tuple"
      },
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
    "name": "executeRefund",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "enum Role",
        "name": "role",
        "type": "uint8"
      },
      {
        "internalType": "address",
        "name": "who",
        "type": "address"
      }
    ],
    "name": "hasRole",
    "outputs": [
      {
        "internalType": "bool",
        "name": "on",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
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
    "name": "pauseRefunds",
    "outputs": [],
    "stateMutability": "nonpayable",
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
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "chainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "ref",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "merchant",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collector",
            "type": "address"
          },
          {
            "internalType": "uint16",
            "name": "feeBps",
            "type": "uint16"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "openAfter",
            "type": "uint40"
          },
          {
            "internalType": "address",
            "name": "refundTo",
            "type": "address"
          }
        ],
        "internalType": "struct Route",
        "name": "route",
        "type": "tuple"
      },
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
    "name": "proposalId",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "chainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "ref",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "merchant",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collector",
            "type": "address"
          },
          {
            "internalType": "uint16",
            "name": "feeBps",
            "type": "uint16"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "openAfter",
            "type": "uint40"
          },
          {
            "internalType": "address",
            "name": "refundTo",
            "type": "address"
          }
        ],
        "internalType": "struct Route",
        "name": "route",
        "type": "tuple"
      },
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
    "name": "proposeRefund",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "chainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "ref",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "merchant",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collector",
            "type": "address"
          },
          {
            "internalType": "uint16",
            "name": "feeBps",
            "type": "uint16"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "openAfter",
            "type": "uint40"
          },
          {
            "internalType": "address",
            "name": "refundTo",
            "type": "address"
          }
        ],
        "internalType": "struct Route",
        "name": "route",
        "type": "tuple"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "refundBound",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      }
    ],
    "name": "refundEta",
    "outputs": [
      {
        "internalType": "uint40",
        "name": "eta",
        "type": "uint40"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "refundsPaused",
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
    "inputs": [],
    "name": "renounceOwnership",
    "outputs": [],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "enum Role",
        "name": "role",
        "type": "uint8"
      },
      {
        "internalType": "address",
        "name": "who",
        "type": "address"
      },
      {
        "internalType": "bool",
        "name": "on",
        "type": "bool"
      }
    ],
    "name": "roleEta",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "eta",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "chainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "ref",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "merchant",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collector",
            "type": "address"
          },
          {
            "internalType": "uint16",
            "name": "feeBps",
            "type": "uint16"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "openAfter",
            "type": "uint40"
          },
          {
            "internalType": "address",
            "name": "refundTo",
            "type": "address"
          }
        ],
        "internalType": "struct Route",
        "name": "route",
        "type": "tuple"
      }
    ],
    "name": "saltOf",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "enum Role",
        "name": "role",
        "type": "uint8"
      },
      {
        "internalType": "address",
        "name": "who",
        "type": "address"
      },
      {
        "internalType": "bool",
        "name": "on",
        "type": "bool"
      }
    ],
    "name": "scheduleRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "chainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "ref",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "merchant",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collector",
            "type": "address"
          },
          {
            "internalType": "uint16",
            "name": "feeBps",
            "type": "uint16"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "openAfter",
            "type": "uint40"
          },
          {
            "internalType": "address",
            "name": "refundTo",
            "type": "address"
          }
        ],
        "internalType": "struct Route",
        "name": "route",
        "type": "tuple"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "gross",
        "type": "uint256"
      },
      {
        "internalType": "uint16",
        "name": "feeBps",
        "type": "uint16"
      }
    ],
    "name": "settle",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "chainId",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "ref",
                "type": "bytes32"
              },
              {
                "internalType": "address",
                "name": "token",
                "type": "address"
              },
              {
                "internalType": "address",
                "name": "merchant",
                "type": "address"
              },
              {
                "internalType": "address",
                "name": "collector",
                "type": "address"
              },
              {
                "internalType": "uint16",
                "name": "feeBps",
                "type": "uint16"
              },
              {
                "internalType": "uint128",
                "name": "minAmount",
                "type": "uint128"
              },
              {
                "internalType": "uint40",
                "name": "openAfter",
                "type": "uint40"
              },
              {
                "internalType": "address",
                "name": "refundTo",
                "type": "address"
              }
            ],
            "internalType": "struct Route",
            "name": "route",
            "type": "tuple"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "gross",
            "type": "uint256"
          },
          {
            "internalType": "uint16",
            "name": "feeBps",
            "type": "uint16"
          }
        ],
        "internalType": "struct Item[]",
        "name": "items",
        "type": "tuple[]"
      },
      {
        "internalType": "uint256",
        "name": "itemGas",
        "type": "uint256"
      }
    ],
    "name": "settleBatch",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "done",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "chainId",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "ref",
                "type": "bytes32"
              },
              {
                "internalType": "address",
                "name": "token",
                "type": "address"
              },
              {
                "internalType": "address",
                "name": "merchant",
                "type": "address"
              },
              {
                "internalType": "address",
                "name": "collector",
                "type": "address"
              },
              {
                "internalType": "uint16",
                "name": "feeBps",
                "type": "uint16"
              },
              {
                "internalType": "uint128",
                "name": "minAmount",
                "type": "uint128"
              },
              {
                "internalType": "uint40",
                "name": "openAfter",
                "type": "uint40"
              },
              {
                "internalType": "address",
                "name": "refundTo",
                "type": "address"
              }
            ],
            "internalType": "struct Route",
            "name": "route",
            "type": "tuple"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "gross",
            "type": "uint256"
          },
          {
            "internalType": "uint16",
            "name": "feeBps",
            "type": "uint16"
          }
        ],
        "internalType": "struct Item",
        "name": "item",
        "type": "tuple"
      }
    ],
    "name": "settleItem",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "chainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "ref",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "merchant",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collector",
            "type": "address"
          },
          {
            "internalType": "uint16",
            "name": "feeBps",
            "type": "uint16"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "openAfter",
            "type": "uint40"
          },
          {
            "internalType": "address",
            "name": "refundTo",
            "type": "address"
          }
        ],
        "internalType": "struct Route",
        "name": "route",
        "type": "tuple"
      }
    ],
    "name": "settleOpen",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "chainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "ref",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "merchant",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collector",
            "type": "address"
          },
          {
            "internalType": "uint16",
            "name": "feeBps",
            "type": "uint16"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "openAfter",
            "type": "uint40"
          },
          {
            "internalType": "address",
            "name": "refundTo",
            "type": "address"
          }
        ],
        "internalType": "struct Route",
        "name": "route",
        "type": "tuple"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "settleOpenNoFee",
    "outputs": [],
    "stateMutability": "nonpayable",
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
    "inputs": [],
    "name": "unpauseRefunds",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "chainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "ref",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "merchant",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collector",
            "type": "address"
          },
          {
            "internalType": "uint16",
            "name": "feeBps",
            "type": "uint16"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "openAfter",
            "type": "uint40"
          },
          {
            "internalType": "address",
            "name": "refundTo",
            "type": "address"
          }
        ],
        "internalType": "struct Route",
        "name": "route",
        "type": "tuple"
      }
    ],
    "name": "vaultOf",
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
        "components": [
          {
            "internalType": "uint256",
            "name": "chainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "ref",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "merchant",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collector",
            "type": "address"
          },
          {
            "internalType": "uint16",
            "name": "feeBps",
            "type": "uint16"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "openAfter",
            "type": "uint40"
          },
          {
            "internalType": "address",
            "name": "refundTo",
            "type": "address"
          }
        ],
        "internalType": "struct Route",
        "name": "route",
        "type": "tuple"
      },
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
    "name": "vetoRefund",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const

/** Creation code, without constructor arguments. */
export const payFactoryBytecode: `0x${string}` = '0x60a060405234801561000f575f5ffd5b50604051612cb6380380612cb683398101604081905261002e91610377565b8383838383806001600160a01b03811661006257604051631e4fbdf760e01b81525f60048201526024015b60405180910390fd5b61006b816100ce565b5061007890505f846100ea565b6100836001836100ea565b61008e6002826100ea565b5050505060405161009e90610298565b604051809103905ff0801580156100b7573d5f5f3e3d5ffd5b506001600160a01b03166080525061044092505050565b600180546001600160a01b03191690556100e7816101a2565b50565b5f5b815181101561019d575f6001600160a01b031682828151811061011157610111610418565b60200260200101516001600160a01b03160361016a5781818151811061013957610139610418565b6020026020010151604051637833514560e11b815260040161005991906001600160a01b0391909116815260200190565b6101958383838151811061018057610180610418565b602002602001015160016101f160201b60201c565b6001016100ec565b505050565b5f80546001600160a01b038381166001600160a01b0319831681178455604051919092169283917f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09190a35050565b8060025f8560028111156102075761020761042c565b60028111156102185761021861042c565b815260208082019290925260409081015f9081206001600160a01b038716808352935220805460ff19169215159290921790915583600281111561025e5761025e61042c565b60405183151581527fac30881e9d764604d66d4e015a053d61755cba87648d5659ecaa322e8de35dc89060200160405180910390a3505050565b61039e8061291883390190565b80516001600160a01b03811681146102bb575f5ffd5b919050565b634e487b7160e01b5f52604160045260245ffd5b5f82601f8301126102e3575f5ffd5b81516001600160401b038111156102fc576102fc6102c0565b604051600582901b90603f8201601f191681016001600160401b038111828210171561032a5761032a6102c0565b604052918252602081850181019290810186841115610347575f5ffd5b6020860192505b8383101561036d5761035f836102a5565b81526020928301920161034e565b5095945050505050565b5f5f5f5f6080858703121561038a575f5ffd5b610393856102a5565b60208601519094506001600160401b038111156103ae575f5ffd5b6103ba878288016102d4565b604087015190945090506001600160401b038111156103d7575f5ffd5b6103e3878288016102d4565b606087015190935090506001600160401b03811115610400575f5ffd5b61040c878288016102d4565b91505092959194509250565b634e487b7160e01b5f52603260045260245ffd5b634e487b7160e01b5f52602160045260245ffd5b6080516124b26104665f395f818161032d015281816116170152611e0e01526124b25ff3fe608060405234801561000f575f5ffd5b5060043610610235575f3560e01c8063aa56552f1161013d578063d90866d6116100b8578063eab1e35911610088578063f2fde38b1161006e578063f2fde38b146104dc578063f788acef146104ef578063ff93649014610502575f5ffd5b8063eab1e3591461043a578063edfbce49146104d2575f5ffd5b8063d90866d61461048e578063e2ae7e531461049b578063e30c3978146104ae578063e66082a4146104bf575f5ffd5b8063c0aad1411161010d578063cac1eb0d116100f3578063cac1eb0d14610457578063d55be8c61461045f578063d876a27f1461047b575f5ffd5b8063c0aad1411461043a578063c61e9bd314610444575f5ffd5b8063aa56552f146103f7578063aa9394431461040a578063baad2afb14610414578063bc00449c14610427575f5ffd5b8063593e9ed5116101cd5780638da5cb5b1161019d5780639e97b8f6116101835780639e97b8f61461039f578063a4d83088146103dc578063a8516475146103e4575f5ffd5b80638da5cb5b1461037c57806397897cd91461038c575f5ffd5b8063593e9ed51461034f578063715018a61461036257806379ba50971461036a5780638340ead114610372575f5ffd5b80631aa97065116102085780631aa97065146102d25780631f700e2614610302578063297a3c671461031557806356973ee514610328575f5ffd5b806309519cfa146102395780630a1eb92b1461027a5780630df394de1461028f578063190da595146102ba575b5f5ffd5b61025f610247366004611f21565b60056020525f908152604090205464ffffffffff1681565b60405164ffffffffff90911681526020015b60405180910390f35b61028d610288366004611f5f565b610515565b005b6102a261029d366004611f93565b610562565b6040516001600160a01b039091168152602001610271565b6102c46201518081565b604051908152602001610271565b6102c46102e0366004611fbc565b600360209081525f938452604080852082529284528284209052825290205481565b6102c4610310366004611f93565b61057a565b61028d610323366004611fbc565b6105a9565b6102a27f000000000000000000000000000000000000000000000000000000000000000081565b61028d61035d366004612004565b6106b6565b61028d6107c4565b61028d6107f6565b6102c4620493e081565b5f546001600160a01b03166102a2565b61028d61039a366004611f93565b61083a565b6103cc6103ad366004612042565b600260209081525f928352604080842090915290825290205460ff1681565b6040519015158152602001610271565b61028d61088c565b61028d6103f236600461206a565b6108d3565b61028d610405366004612084565b61094e565b6102c46202a30081565b61028d61042236600461209d565b6109c2565b61028d610435366004611fbc565b610ae0565b6102c462093a8081565b6102c46104523660046120ea565b610b88565b61028d610d73565b6104686103e881565b60405161ffff9091168152602001610271565b61028d61048936600461209d565b610e18565b6004546103cc9060ff1681565b6102c46104a936600461209d565b610ee9565b6001546001600160a01b03166102a2565b61028d6104cd366004611fbc565b611108565b6102c46276a70081565b61028d6104ea366004612084565b6112b2565b61028d6104fd366004612171565b61132f565b6102c461051036600461209d565b6113b1565b61051d61140a565b61054b6276a700610535610100850160e086016121d4565b64ffffffffff166105469190612201565b611441565b61055682825f61146b565b61055e6115e7565b5050565b5f61057461056f8361057a565b611611565b92915050565b5f8160405160200161058c9190612233565b604051602081830303815290604052805190602001209050919050565b5f546001600160a01b031633148015906105f15750335f9081527f679795a0195a1b76cdebb7c51d74e058aee92919b8c3389af86ef24535e8a28c602052604090205460ff16155b156106165760405163fa5cd00f60e01b81523360048201526024015b60405180910390fd5b8015801561062e57505f546001600160a01b03163314155b1561064e5760405163fa5cd00f60e01b815233600482015260240161060d565b61065983838361163c565b50816001600160a01b031683600281111561067657610676612308565b6040805184151581523360208201527fbf83738644cbb3fd08fea4e8996ddbec84035394483b3f2e0212d9e0bfeecdce91015b60405180910390a3505050565b335f9081527fe90b7bceb6e7df5418fb78d8ee546e97c83a08bbccc01a0644d599ccd2a7c2e0602052604090205460019060ff1661070b57803360405163270b2a6b60e01b815260040161060d92919061233c565b60045460ff161561072f576040516362603d5d60e11b815260040160405180910390fd5b61073761140a565b5f61074a61012086016101008701612084565b6001600160a01b031603610790576040517fbb1712010000000000000000000000000000000000000000000000000000000081526020850135600482015260240161060d565b6107b68461079d8661057a565b856107b061012089016101008a01612084565b86611735565b6107be6115e7565b50505050565b6040517fbfd28ce100000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b60015433906001600160a01b0316811461082e5760405163118cdaa760e01b81526001600160a01b038216600482015260240161060d565b61083781611845565b50565b61084261140a565b610862610856610100830160e084016121d4565b64ffffffffff16611441565b610884816108766060820160408301612084565b61087f8461186b565b61146b565b6108376115e7565b6108946118d0565b6004805460ff191690556040513381527eda475b1a6170bf055128adb8673de5f5f7be57aff1f9a1782f4ff5a8e181c6906020015b60405180910390a1565b33301461090e576040517fa19dbf0000000000000000000000000000000000000000000000000000000000815233600482015260240161060d565b6108378161091b8161057a565b61092d61014085016101208601612084565b61014085013561094561018087016101608801612360565b61ffff166118fc565b5f546001600160a01b031633148015906109965750335f9081527f679795a0195a1b76cdebb7c51d74e058aee92919b8c3389af86ef24535e8a28c602052604090205460ff16155b156109b65760405163fa5cd00f60e01b815233600482015260240161060d565b6108376001825f611b60565b6109d26080850160608601612084565b6001600160a01b0316336001600160a01b031614158015610a215750335f9081527f679795a0195a1b76cdebb7c51d74e058aee92919b8c3389af86ef24535e8a28c602052604090205460ff16155b15610a415760405163fa5cd00f60e01b815233600482015260240161060d565b5f610a4e858585856113b1565b5f8181526005602052604081205491925064ffffffffff9091169003610a8a57604051630b1e4ead60e11b81526004810182905260240161060d565b5f81815260056020908152604091829020805464ffffffffff19169055905133815282917f2217bcbf80f86987fccc3566c17e64ba4bac344105f122b295d0a54a54d2dec1910160405180910390a25050505050565b610ae86118d0565b5f610af484848461163c565b905080421015610b205760405163e58369d160e01b81526004810182905242602482015260440161060d565b610b2d62093a8082612201565b421115610b7d57610b4162093a8082612201565b6040517f388b0173000000000000000000000000000000000000000000000000000000008152600481019190915242602482015260440161060d565b6107be848484611b60565b335f9081527fac33ff75c19e70fe83507db0d683fd3465c996598dc972688b7ace676c89077b6020526040812054819060ff16610bdc57803360405163270b2a6b60e01b815260040161060d92919061233c565b610be461140a565b620493e0831015610c2d576040517f51f35c5500000000000000000000000000000000000000000000000000000000815260048101849052620493e0602482015260440161060d565b5f619c40610c3c603f86612379565b610c469086612201565b610c509190612201565b90505f5b85811015610d6157815a1015610ca857805a6040517f2bb3e3ba000000000000000000000000000000000000000000000000000000008152600481019290925260248201526044810183905260640161060d565b5f5f610ccc898985818110610cbf57610cbf612398565b9050610180020188611bff565b915091508115610ce657610cdf866123ac565b9550610d57565b36898985818110610cf957610cf9612398565b905061018002015f0190508060200135610d1561056f8361057a565b6001600160a01b03167f8028765fd177e067a32f57039418afaee1e99d1d47ff59a0434bb056e0052d5684604051610d4d91906123c4565b60405180910390a3505b5050600101610c54565b5050610d6b6115e7565b509392505050565b5f546001600160a01b03163314801590610dbb5750335f9081527f679795a0195a1b76cdebb7c51d74e058aee92919b8c3389af86ef24535e8a28c602052604090205460ff16155b15610ddb5760405163fa5cd00f60e01b815233600482015260240161060d565b6004805460ff191660011790556040513381527f33702c953197698a2237e5ffbad9def2c98e5e1e75de68618418f455e3338067906020016108c9565b60045460ff1615610e3c576040516362603d5d60e11b815260040160405180910390fd5b610e4461140a565b5f610e51858585856113b1565b5f8181526005602052604081205491925064ffffffffff90911690819003610e8f57604051630b1e4ead60e11b81526004810183905260240161060d565b610e9881611441565b610ea181611c7d565b421115610eb157610b4181611c7d565b5f828152600560205260409020805464ffffffffff19169055610edf86610ed78161057a565b878787611735565b50506107be6115e7565b335f9081527fe90b7bceb6e7df5418fb78d8ee546e97c83a08bbccc01a0644d599ccd2a7c2e0602052604081205460019060ff16610f3e57803360405163270b2a6b60e01b815260040161060d92919061233c565b60045460ff1615610f62576040516362603d5d60e11b815260040160405180910390fd5b5f610f7561012088016101008901612084565b6001600160a01b031614610fd357610f9561012087016101008801612084565b6040517fa8d047710000000000000000000000000000000000000000000000000000000081526001600160a01b03909116600482015260240161060d565b5f610fe061056f8861057a565b9050610fed818686611c99565b610ff9878787876113b1565b5f8181526005602052604090205490935064ffffffffff168015801590611028575061102481611c7d565b4211155b15611069576040517f41b88acf000000000000000000000000000000000000000000000000000000008152600481018590526024810182905260440161060d565b6110766201518042612201565b5f85815260056020908152604091829020805464ffffffffff191664ffffffffff851690811790915582516001600160a01b038c811682528b8116828501529381018a905260608101919091529293508a0135919084169086907f33e15d0ba66c52185db60a0eabe56a32a372c5a73558b3b58d318a3b7b861a3d9060800160405180910390a4505050949350505050565b6111106118d0565b6001600160a01b03821661114257604051637833514560e11b81526001600160a01b038316600482015260240161060d565b5f60035f85600281111561115857611158612308565b600281111561116957611169612308565b815260208082019290925260409081015f9081206001600160a01b038716825283528181208515158252909252902054905080158015906111b657506111b262093a8082612201565b4211155b156111f557838383836040517f98414d6500000000000000000000000000000000000000000000000000000000815260040161060d94939291906123f9565b6112026202a30042612201565b90508060035f86600281111561121a5761121a612308565b600281111561122b5761122b612308565b815260208082019290925260409081015f9081206001600160a01b0388168083529084528282208715158352909352209190915584600281111561127157611271612308565b604080518515158152602081018590527f5cca4e818c0838d57a8381a434ed6754d6be66c4a4a644752fa58b7ece1cce43910160405180910390a350505050565b6112ba6118d0565b600180546001600160a01b03831673ffffffffffffffffffffffffffffffffffffffff1990911681179091556112f75f546001600160a01b031690565b6001600160a01b03167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e2270060405160405180910390a350565b335f9081527fac33ff75c19e70fe83507db0d683fd3465c996598dc972688b7ace676c89077b602052604081205460ff1661138157803360405163270b2a6b60e01b815260040161060d92919061233c565b61138961140a565b6113a2856113968761057a565b86868661ffff166118fc565b6113aa6115e7565b5050505050565b5f6113bb8561057a565b6040805160208101929092526001600160a01b0380871691830191909152841660608201526080810183905260a001604051602081830303815290604052805190602001209050949350505050565b611412611d21565b61143f60017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b90611d7a565b565b804210156108375760405163e58369d160e01b81526004810182905242602482015260440161060d565b5f6114758461057a565b90505f61148182611611565b90505f6001600160a01b03851615611519576040517f70a082310000000000000000000000000000000000000000000000000000000081526001600160a01b0383811660048301528616906370a0823190602401602060405180830381865afa1580156114f0573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611514919061242b565b611525565b816001600160a01b0316315b90505f46873514801561155857506115436060880160408901612084565b6001600160a01b0316866001600160a01b0316145b8015611585575061156f60e0880160c08901612442565b6fffffffffffffffffffffffffffffffff168210155b9050801580156115af57505f6115a361012089016101008a01612084565b6001600160a01b031614155b156115d1576115cc8785886107b061012084016101008501612084565b6115de565b6115de87858885896118fc565b50505050505050565b61143f5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00611439565b5f6105747f000000000000000000000000000000000000000000000000000000000000000083611d81565b5f60035f85600281111561165257611652612308565b600281111561166357611663612308565b815260208082019290925260409081015f9081206001600160a01b03871682528352818120851515825290925281205491508190036116d4578383836040517f848504dc00000000000000000000000000000000000000000000000000000000815260040161060d9392919061245b565b60035f8560028111156116e9576116e9612308565b60028111156116fa576116fa612308565b815260208082019290925260409081015f9081206001600160a01b039096168152948252808520931515855292905290822091909155919050565b5f61173f85611dec565b905061174c818484611c99565b826001600160a01b03168660200135826001600160a01b03167fda90e08f23a6f9c7c958e458a0a30977ec193922f2706ace02e942d1de4401d587866040516117aa9291906001600160a01b03929092168252602082015260400190565b60405180910390a46040517fdd0512690000000000000000000000000000000000000000000000000000000081526001600160a01b0385811660048301528481166024830152604482018490525f60648301819052608483015282169063dd0512699060a4015f604051808303815f87803b158015611827575f5ffd5b505af1158015611839573d5f5f3e3d5ffd5b50505050505050505050565b6001805473ffffffffffffffffffffffffffffffffffffffff1916905561083781611e3a565b5f8061187d60a0840160808501612084565b6001600160a01b03160361189257505f919050565b6103e86118a560c0840160a08501612360565b61ffff16106118b6576103e86118c6565b6118c660c0830160a08401612360565b61ffff1692915050565b5f546001600160a01b0316331461143f5760405163118cdaa760e01b815233600482015260240161060d565b4685351461193f576040517f24497bc30000000000000000000000000000000000000000000000000000000081528535600482015246602482015260440161060d565b5f6119498661186b565b90508082111561198f576040517fe757126a000000000000000000000000000000000000000000000000000000008152600481018390526024810182905260440161060d565b825f036119af57604051631f2a200560e01b815260040160405180910390fd5b5f6119c06080880160608901612084565b6001600160a01b031603611a03576119de6080870160608801612084565b604051637833514560e11b81526001600160a01b03909116600482015260240161060d565b5f611a0d86611dec565b90505f612710611a1d8587612488565b611a279190612379565b9050611a396080890160608a01612084565b604080516001600160a01b03898116825260208281018a905292820185905292831692918b0135918516907f07a1d83672752f29c65f696c9900a1d44e1bafa249092d94da37617fbaf262f29060600160405180910390a46001600160a01b03821663dd05126987611ab160808c0160608d01612084565b611abb858a61249f565b611acb60a08e0160808f01612084565b60405160e086901b7fffffffff000000000000000000000000000000000000000000000000000000001681526001600160a01b0394851660048201529284166024840152604483019190915290911660648201526084810184905260a4015f604051808303815f87803b158015611b40575f5ffd5b505af1158015611b52573d5f5f3e3d5ffd5b505050505050505050505050565b8060025f856002811115611b7657611b76612308565b6002811115611b8757611b87612308565b815260208082019290925260409081015f9081206001600160a01b038716808352935220805460ff191692151592909217909155836002811115611bcd57611bcd612308565b60405183151581527fac30881e9d764604d66d4e015a053d61755cba87648d5659ecaa322e8de35dc8906020016106a9565b6040517fa8516475000000000000000000000000000000000000000000000000000000008082525f91606091906101808660048301375f806101848382308af193506060925083611c74573d610180811115611c5a57506101805b808252805f602084013e603f01601f191681016040529150815b50509250929050565b5f62093a80611c8f620151808461249f565b6105749190612201565b805f03611cb957604051631f2a200560e01b815260040160405180910390fd5b6001600160a01b0382161580611cd757506001600160a01b03821630145b80611cf35750826001600160a01b0316826001600160a01b0316145b15611d1c57604051637833514560e11b81526001600160a01b038316600482015260240161060d565b505050565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c1561143f576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b6040513060388201526f5af43d82803e903d91602b57fd5bf3ff602482015260148101839052733d602d80600a3d3981f3363d3d373d3d3d363d738152605881018290526037600c820120607882015260556043909101205f906001600160a01b03165b9392505050565b5f611df682611611565b9050806001600160a01b03163b5f03611e3557611e337f000000000000000000000000000000000000000000000000000000000000000083611e96565b505b919050565b5f80546001600160a01b0383811673ffffffffffffffffffffffffffffffffffffffff19831681178455604051919092169283917f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09190a35050565b5f611de583838380763d602d80600a3d3981f3363d3d373d3d3d363d730000008460601b60e81c175f526e5af43d82803e903d91602b57fd5bf38460781b17602052826037600984f590506001600160a01b038116611de5576040517fb06ebf3d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f60208284031215611f31575f5ffd5b5035919050565b5f6101208284031215611e33575f5ffd5b80356001600160a01b0381168114611e35575f5ffd5b5f5f6101408385031215611f71575f5ffd5b611f7b8484611f38565b9150611f8a6101208401611f49565b90509250929050565b5f6101208284031215611fa4575f5ffd5b611de58383611f38565b803560038110611e35575f5ffd5b5f5f5f60608486031215611fce575f5ffd5b611fd784611fae565b9250611fe560208501611f49565b915060408401358015158114611ff9575f5ffd5b809150509250925092565b5f5f5f6101608486031215612017575f5ffd5b6120218585611f38565b92506120306101208501611f49565b92959294505050610140919091013590565b5f5f60408385031215612053575f5ffd5b61205c83611fae565b9150611f8a60208401611f49565b5f61018082840312801561207c575f5ffd5b509092915050565b5f60208284031215612094575f5ffd5b611de582611f49565b5f5f5f5f61018085870312156120b1575f5ffd5b6120bb8686611f38565b93506120ca6101208601611f49565b92506120d96101408601611f49565b939692955092936101600135925050565b5f5f5f604084860312156120fc575f5ffd5b833567ffffffffffffffff811115612112575f5ffd5b8401601f81018613612122575f5ffd5b803567ffffffffffffffff811115612138575f5ffd5b8660206101808302840101111561214d575f5ffd5b6020918201979096509401359392505050565b803561ffff81168114611e35575f5ffd5b5f5f5f5f6101808587031215612185575f5ffd5b61218f8686611f38565b935061219e6101208601611f49565b925061014085013591506121b56101608601612160565b905092959194509250565b803564ffffffffff81168114611e35575f5ffd5b5f602082840312156121e4575f5ffd5b611de5826121c0565b634e487b7160e01b5f52601160045260245ffd5b80820180821115610574576105746121ed565b80356fffffffffffffffffffffffffffffffff81168114611e35575f5ffd5b813581526020808301359082015261012081016001600160a01b0361225a60408501611f49565b1660408301526001600160a01b0361227460608501611f49565b16606083015261228660808401611f49565b6001600160a01b031660808301526122a060a08401612160565b61ffff1660a08301526122b560c08401612214565b6fffffffffffffffffffffffffffffffff1660c08301526122d860e084016121c0565b64ffffffffff1660e08301526122f16101008401611f49565b6001600160a01b0381166101008401525092915050565b634e487b7160e01b5f52602160045260245ffd5b6003811061233857634e487b7160e01b5f52602160045260245ffd5b9052565b6040810161234a828561231c565b6001600160a01b03831660208301529392505050565b5f60208284031215612370575f5ffd5b611de582612160565b5f8261239357634e487b7160e01b5f52601260045260245ffd5b500490565b634e487b7160e01b5f52603260045260245ffd5b5f600182016123bd576123bd6121ed565b5060010190565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b60808101612407828761231c565b6001600160a01b039490941660208201529115156040830152606090910152919050565b5f6020828403121561243b575f5ffd5b5051919050565b5f60208284031215612452575f5ffd5b611de582612214565b60608101612469828661231c565b6001600160a01b03841660208301528215156040830152949350505050565b8082028115828204841417610574576105746121ed565b81810381811115610574576105746121ed5660a0604052348015600e575f5ffd5b503360805260805161036e6100305f395f81816047015260b1015261036e5ff3fe60806040526004361061002b575f3560e01c80632dd3100014610036578063dd05126914610085575f5ffd5b3661003257005b5f5ffd5b348015610041575f5ffd5b506100697f000000000000000000000000000000000000000000000000000000000000000081565b6040516001600160a01b03909116815260200160405180910390f35b348015610090575f5ffd5b506100a461009f3660046102c1565b6100a6565b005b336001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000161461010f576040517fb550282e0000000000000000000000000000000000000000000000000000000081523360048201526024015b60405180910390fd5b82156101235761012385858561ea6061013e565b80156101375761013785838361ea6061013e565b5050505050565b6001600160a01b03841661015c5761015783838361016d565b610167565b6101678484846101c1565b50505050565b5f5f5f5f5f868887f1905080610167576040517fa5b05eec0000000000000000000000000000000000000000000000000000000081526001600160a01b038516600482015260248101849052604401610106565b5f6040517fa9059cbb0000000000000000000000000000000000000000000000000000000081526001600160a01b03841660048201528260248201525f5f5260205f6044835f895af19150503d5f81146102285760015f5114601f3d111682169150610231565b5f853b11821691505b508061016757838383610242610278565b6040517f2345a2fa0000000000000000000000000000000000000000000000000000000081526004016101069493929190610312565b60603d60a0811115610288575060a05b6040519150808252805f602084013e603f01601f1916810160405290565b80356001600160a01b03811681146102bc575f5ffd5b919050565b5f5f5f5f5f60a086880312156102d5575f5ffd5b6102de866102a6565b94506102ec602087016102a6565b935060408601359250610301606087016102a6565b949793965091946080013592915050565b6001600160a01b03851681526001600160a01b0384166020820152826040820152608060608201525f8251806080840152806020850160a085015e5f60a0828501015260a0601f19601f8301168401019150509594505050505056'

/** Code on the chain with zeros for the immutables, the keccak-256 of that, and the byte offsets of each immutable. */
export const payFactoryRuntime: { code: `0x${string}`; hash: `0x${string}`; immutables: Record<string, readonly number[]> } = {
  "code": "0x608060405234801561000f575f5ffd5b5060043610610235575f3560e01c8063aa56552f1161013d578063d90866d6116100b8578063eab1e35911610088578063f2fde38b1161006e578063f2fde38b146104dc578063f788acef146104ef578063ff93649014610502575f5ffd5b8063eab1e3591461043a578063edfbce49146104d2575f5ffd5b8063d90866d61461048e578063e2ae7e531461049b578063e30c3978146104ae578063e66082a4146104bf575f5ffd5b8063c0aad1411161010d578063cac1eb0d116100f3578063cac1eb0d14610457578063d55be8c61461045f578063d876a27f1461047b575f5ffd5b8063c0aad1411461043a578063c61e9bd314610444575f5ffd5b8063aa56552f146103f7578063aa9394431461040a578063baad2afb14610414578063bc00449c14610427575f5ffd5b8063593e9ed5116101cd5780638da5cb5b1161019d5780639e97b8f6116101835780639e97b8f61461039f578063a4d83088146103dc578063a8516475146103e4575f5ffd5b80638da5cb5b1461037c57806397897cd91461038c575f5ffd5b8063593e9ed51461034f578063715018a61461036257806379ba50971461036a5780638340ead114610372575f5ffd5b80631aa97065116102085780631aa97065146102d25780631f700e2614610302578063297a3c671461031557806356973ee514610328575f5ffd5b806309519cfa146102395780630a1eb92b1461027a5780630df394de1461028f578063190da595146102ba575b5f5ffd5b61025f610247366004611f21565b60056020525f908152604090205464ffffffffff1681565b60405164ffffffffff90911681526020015b60405180910390f35b61028d610288366004611f5f565b610515565b005b6102a261029d366004611f93565b610562565b6040516001600160a01b039091168152602001610271565b6102c46201518081565b604051908152602001610271565b6102c46102e0366004611fbc565b600360209081525f938452604080852082529284528284209052825290205481565b6102c4610310366004611f93565b61057a565b61028d610323366004611fbc565b6105a9565b6102a27f000000000000000000000000000000000000000000000000000000000000000081565b61028d61035d366004612004565b6106b6565b61028d6107c4565b61028d6107f6565b6102c4620493e081565b5f546001600160a01b03166102a2565b61028d61039a366004611f93565b61083a565b6103cc6103ad366004612042565b600260209081525f928352604080842090915290825290205460ff1681565b6040519015158152602001610271565b61028d61088c565b61028d6103f236600461206a565b6108d3565b61028d610405366004612084565b61094e565b6102c46202a30081565b61028d61042236600461209d565b6109c2565b61028d610435366004611fbc565b610ae0565b6102c462093a8081565b6102c46104523660046120ea565b610b88565b61028d610d73565b6104686103e881565b60405161ffff9091168152602001610271565b61028d61048936600461209d565b610e18565b6004546103cc9060ff1681565b6102c46104a936600461209d565b610ee9565b6001546001600160a01b03166102a2565b61028d6104cd366004611fbc565b611108565b6102c46276a70081565b61028d6104ea366004612084565b6112b2565b61028d6104fd366004612171565b61132f565b6102c461051036600461209d565b6113b1565b61051d61140a565b61054b6276a700610535610100850160e086016121d4565b64ffffffffff166105469190612201565b611441565b61055682825f61146b565b61055e6115e7565b5050565b5f61057461056f8361057a565b611611565b92915050565b5f8160405160200161058c9190612233565b604051602081830303815290604052805190602001209050919050565b5f546001600160a01b031633148015906105f15750335f9081527f679795a0195a1b76cdebb7c51d74e058aee92919b8c3389af86ef24535e8a28c602052604090205460ff16155b156106165760405163fa5cd00f60e01b81523360048201526024015b60405180910390fd5b8015801561062e57505f546001600160a01b03163314155b1561064e5760405163fa5cd00f60e01b815233600482015260240161060d565b61065983838361163c565b50816001600160a01b031683600281111561067657610676612308565b6040805184151581523360208201527fbf83738644cbb3fd08fea4e8996ddbec84035394483b3f2e0212d9e0bfeecdce91015b60405180910390a3505050565b335f9081527fe90b7bceb6e7df5418fb78d8ee546e97c83a08bbccc01a0644d599ccd2a7c2e0602052604090205460019060ff1661070b57803360405163270b2a6b60e01b815260040161060d92919061233c565b60045460ff161561072f576040516362603d5d60e11b815260040160405180910390fd5b61073761140a565b5f61074a61012086016101008701612084565b6001600160a01b031603610790576040517fbb1712010000000000000000000000000000000000000000000000000000000081526020850135600482015260240161060d565b6107b68461079d8661057a565b856107b061012089016101008a01612084565b86611735565b6107be6115e7565b50505050565b6040517fbfd28ce100000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b60015433906001600160a01b0316811461082e5760405163118cdaa760e01b81526001600160a01b038216600482015260240161060d565b61083781611845565b50565b61084261140a565b610862610856610100830160e084016121d4565b64ffffffffff16611441565b610884816108766060820160408301612084565b61087f8461186b565b61146b565b6108376115e7565b6108946118d0565b6004805460ff191690556040513381527eda475b1a6170bf055128adb8673de5f5f7be57aff1f9a1782f4ff5a8e181c6906020015b60405180910390a1565b33301461090e576040517fa19dbf0000000000000000000000000000000000000000000000000000000000815233600482015260240161060d565b6108378161091b8161057a565b61092d61014085016101208601612084565b61014085013561094561018087016101608801612360565b61ffff166118fc565b5f546001600160a01b031633148015906109965750335f9081527f679795a0195a1b76cdebb7c51d74e058aee92919b8c3389af86ef24535e8a28c602052604090205460ff16155b156109b65760405163fa5cd00f60e01b815233600482015260240161060d565b6108376001825f611b60565b6109d26080850160608601612084565b6001600160a01b0316336001600160a01b031614158015610a215750335f9081527f679795a0195a1b76cdebb7c51d74e058aee92919b8c3389af86ef24535e8a28c602052604090205460ff16155b15610a415760405163fa5cd00f60e01b815233600482015260240161060d565b5f610a4e858585856113b1565b5f8181526005602052604081205491925064ffffffffff9091169003610a8a57604051630b1e4ead60e11b81526004810182905260240161060d565b5f81815260056020908152604091829020805464ffffffffff19169055905133815282917f2217bcbf80f86987fccc3566c17e64ba4bac344105f122b295d0a54a54d2dec1910160405180910390a25050505050565b610ae86118d0565b5f610af484848461163c565b905080421015610b205760405163e58369d160e01b81526004810182905242602482015260440161060d565b610b2d62093a8082612201565b421115610b7d57610b4162093a8082612201565b6040517f388b0173000000000000000000000000000000000000000000000000000000008152600481019190915242602482015260440161060d565b6107be848484611b60565b335f9081527fac33ff75c19e70fe83507db0d683fd3465c996598dc972688b7ace676c89077b6020526040812054819060ff16610bdc57803360405163270b2a6b60e01b815260040161060d92919061233c565b610be461140a565b620493e0831015610c2d576040517f51f35c5500000000000000000000000000000000000000000000000000000000815260048101849052620493e0602482015260440161060d565b5f619c40610c3c603f86612379565b610c469086612201565b610c509190612201565b90505f5b85811015610d6157815a1015610ca857805a6040517f2bb3e3ba000000000000000000000000000000000000000000000000000000008152600481019290925260248201526044810183905260640161060d565b5f5f610ccc898985818110610cbf57610cbf612398565b9050610180020188611bff565b915091508115610ce657610cdf866123ac565b9550610d57565b36898985818110610cf957610cf9612398565b905061018002015f0190508060200135610d1561056f8361057a565b6001600160a01b03167f8028765fd177e067a32f57039418afaee1e99d1d47ff59a0434bb056e0052d5684604051610d4d91906123c4565b60405180910390a3505b5050600101610c54565b5050610d6b6115e7565b509392505050565b5f546001600160a01b03163314801590610dbb5750335f9081527f679795a0195a1b76cdebb7c51d74e058aee92919b8c3389af86ef24535e8a28c602052604090205460ff16155b15610ddb5760405163fa5cd00f60e01b815233600482015260240161060d565b6004805460ff191660011790556040513381527f33702c953197698a2237e5ffbad9def2c98e5e1e75de68618418f455e3338067906020016108c9565b60045460ff1615610e3c576040516362603d5d60e11b815260040160405180910390fd5b610e4461140a565b5f610e51858585856113b1565b5f8181526005602052604081205491925064ffffffffff90911690819003610e8f57604051630b1e4ead60e11b81526004810183905260240161060d565b610e9881611441565b610ea181611c7d565b421115610eb157610b4181611c7d565b5f828152600560205260409020805464ffffffffff19169055610edf86610ed78161057a565b878787611735565b50506107be6115e7565b335f9081527fe90b7bceb6e7df5418fb78d8ee546e97c83a08bbccc01a0644d599ccd2a7c2e0602052604081205460019060ff16610f3e57803360405163270b2a6b60e01b815260040161060d92919061233c565b60045460ff1615610f62576040516362603d5d60e11b815260040160405180910390fd5b5f610f7561012088016101008901612084565b6001600160a01b031614610fd357610f9561012087016101008801612084565b6040517fa8d047710000000000000000000000000000000000000000000000000000000081526001600160a01b03909116600482015260240161060d565b5f610fe061056f8861057a565b9050610fed818686611c99565b610ff9878787876113b1565b5f8181526005602052604090205490935064ffffffffff168015801590611028575061102481611c7d565b4211155b15611069576040517f41b88acf000000000000000000000000000000000000000000000000000000008152600481018590526024810182905260440161060d565b6110766201518042612201565b5f85815260056020908152604091829020805464ffffffffff191664ffffffffff851690811790915582516001600160a01b038c811682528b8116828501529381018a905260608101919091529293508a0135919084169086907f33e15d0ba66c52185db60a0eabe56a32a372c5a73558b3b58d318a3b7b861a3d9060800160405180910390a4505050949350505050565b6111106118d0565b6001600160a01b03821661114257604051637833514560e11b81526001600160a01b038316600482015260240161060d565b5f60035f85600281111561115857611158612308565b600281111561116957611169612308565b815260208082019290925260409081015f9081206001600160a01b038716825283528181208515158252909252902054905080158015906111b657506111b262093a8082612201565b4211155b156111f557838383836040517f98414d6500000000000000000000000000000000000000000000000000000000815260040161060d94939291906123f9565b6112026202a30042612201565b90508060035f86600281111561121a5761121a612308565b600281111561122b5761122b612308565b815260208082019290925260409081015f9081206001600160a01b0388168083529084528282208715158352909352209190915584600281111561127157611271612308565b604080518515158152602081018590527f5cca4e818c0838d57a8381a434ed6754d6be66c4a4a644752fa58b7ece1cce43910160405180910390a350505050565b6112ba6118d0565b600180546001600160a01b03831673ffffffffffffffffffffffffffffffffffffffff1990911681179091556112f75f546001600160a01b031690565b6001600160a01b03167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e2270060405160405180910390a350565b335f9081527fac33ff75c19e70fe83507db0d683fd3465c996598dc972688b7ace676c89077b602052604081205460ff1661138157803360405163270b2a6b60e01b815260040161060d92919061233c565b61138961140a565b6113a2856113968761057a565b86868661ffff166118fc565b6113aa6115e7565b5050505050565b5f6113bb8561057a565b6040805160208101929092526001600160a01b0380871691830191909152841660608201526080810183905260a001604051602081830303815290604052805190602001209050949350505050565b611412611d21565b61143f60017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b90611d7a565b565b804210156108375760405163e58369d160e01b81526004810182905242602482015260440161060d565b5f6114758461057a565b90505f61148182611611565b90505f6001600160a01b03851615611519576040517f70a082310000000000000000000000000000000000000000000000000000000081526001600160a01b0383811660048301528616906370a0823190602401602060405180830381865afa1580156114f0573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611514919061242b565b611525565b816001600160a01b0316315b90505f46873514801561155857506115436060880160408901612084565b6001600160a01b0316866001600160a01b0316145b8015611585575061156f60e0880160c08901612442565b6fffffffffffffffffffffffffffffffff168210155b9050801580156115af57505f6115a361012089016101008a01612084565b6001600160a01b031614155b156115d1576115cc8785886107b061012084016101008501612084565b6115de565b6115de87858885896118fc565b50505050505050565b61143f5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00611439565b5f6105747f000000000000000000000000000000000000000000000000000000000000000083611d81565b5f60035f85600281111561165257611652612308565b600281111561166357611663612308565b815260208082019290925260409081015f9081206001600160a01b03871682528352818120851515825290925281205491508190036116d4578383836040517f848504dc00000000000000000000000000000000000000000000000000000000815260040161060d9392919061245b565b60035f8560028111156116e9576116e9612308565b60028111156116fa576116fa612308565b815260208082019290925260409081015f9081206001600160a01b039096168152948252808520931515855292905290822091909155919050565b5f61173f85611dec565b905061174c818484611c99565b826001600160a01b03168660200135826001600160a01b03167fda90e08f23a6f9c7c958e458a0a30977ec193922f2706ace02e942d1de4401d587866040516117aa9291906001600160a01b03929092168252602082015260400190565b60405180910390a46040517fdd0512690000000000000000000000000000000000000000000000000000000081526001600160a01b0385811660048301528481166024830152604482018490525f60648301819052608483015282169063dd0512699060a4015f604051808303815f87803b158015611827575f5ffd5b505af1158015611839573d5f5f3e3d5ffd5b50505050505050505050565b6001805473ffffffffffffffffffffffffffffffffffffffff1916905561083781611e3a565b5f8061187d60a0840160808501612084565b6001600160a01b03160361189257505f919050565b6103e86118a560c0840160a08501612360565b61ffff16106118b6576103e86118c6565b6118c660c0830160a08401612360565b61ffff1692915050565b5f546001600160a01b0316331461143f5760405163118cdaa760e01b815233600482015260240161060d565b4685351461193f576040517f24497bc30000000000000000000000000000000000000000000000000000000081528535600482015246602482015260440161060d565b5f6119498661186b565b90508082111561198f576040517fe757126a000000000000000000000000000000000000000000000000000000008152600481018390526024810182905260440161060d565b825f036119af57604051631f2a200560e01b815260040160405180910390fd5b5f6119c06080880160608901612084565b6001600160a01b031603611a03576119de6080870160608801612084565b604051637833514560e11b81526001600160a01b03909116600482015260240161060d565b5f611a0d86611dec565b90505f612710611a1d8587612488565b611a279190612379565b9050611a396080890160608a01612084565b604080516001600160a01b03898116825260208281018a905292820185905292831692918b0135918516907f07a1d83672752f29c65f696c9900a1d44e1bafa249092d94da37617fbaf262f29060600160405180910390a46001600160a01b03821663dd05126987611ab160808c0160608d01612084565b611abb858a61249f565b611acb60a08e0160808f01612084565b60405160e086901b7fffffffff000000000000000000000000000000000000000000000000000000001681526001600160a01b0394851660048201529284166024840152604483019190915290911660648201526084810184905260a4015f604051808303815f87803b158015611b40575f5ffd5b505af1158015611b52573d5f5f3e3d5ffd5b505050505050505050505050565b8060025f856002811115611b7657611b76612308565b6002811115611b8757611b87612308565b815260208082019290925260409081015f9081206001600160a01b038716808352935220805460ff191692151592909217909155836002811115611bcd57611bcd612308565b60405183151581527fac30881e9d764604d66d4e015a053d61755cba87648d5659ecaa322e8de35dc8906020016106a9565b6040517fa8516475000000000000000000000000000000000000000000000000000000008082525f91606091906101808660048301375f806101848382308af193506060925083611c74573d610180811115611c5a57506101805b808252805f602084013e603f01601f191681016040529150815b50509250929050565b5f62093a80611c8f620151808461249f565b6105749190612201565b805f03611cb957604051631f2a200560e01b815260040160405180910390fd5b6001600160a01b0382161580611cd757506001600160a01b03821630145b80611cf35750826001600160a01b0316826001600160a01b0316145b15611d1c57604051637833514560e11b81526001600160a01b038316600482015260240161060d565b505050565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c1561143f576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b6040513060388201526f5af43d82803e903d91602b57fd5bf3ff602482015260148101839052733d602d80600a3d3981f3363d3d373d3d3d363d738152605881018290526037600c820120607882015260556043909101205f906001600160a01b03165b9392505050565b5f611df682611611565b9050806001600160a01b03163b5f03611e3557611e337f000000000000000000000000000000000000000000000000000000000000000083611e96565b505b919050565b5f80546001600160a01b0383811673ffffffffffffffffffffffffffffffffffffffff19831681178455604051919092169283917f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09190a35050565b5f611de583838380763d602d80600a3d3981f3363d3d373d3d3d363d730000008460601b60e81c175f526e5af43d82803e903d91602b57fd5bf38460781b17602052826037600984f590506001600160a01b038116611de5576040517fb06ebf3d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f60208284031215611f31575f5ffd5b5035919050565b5f6101208284031215611e33575f5ffd5b80356001600160a01b0381168114611e35575f5ffd5b5f5f6101408385031215611f71575f5ffd5b611f7b8484611f38565b9150611f8a6101208401611f49565b90509250929050565b5f6101208284031215611fa4575f5ffd5b611de58383611f38565b803560038110611e35575f5ffd5b5f5f5f60608486031215611fce575f5ffd5b611fd784611fae565b9250611fe560208501611f49565b915060408401358015158114611ff9575f5ffd5b809150509250925092565b5f5f5f6101608486031215612017575f5ffd5b6120218585611f38565b92506120306101208501611f49565b92959294505050610140919091013590565b5f5f60408385031215612053575f5ffd5b61205c83611fae565b9150611f8a60208401611f49565b5f61018082840312801561207c575f5ffd5b509092915050565b5f60208284031215612094575f5ffd5b611de582611f49565b5f5f5f5f61018085870312156120b1575f5ffd5b6120bb8686611f38565b93506120ca6101208601611f49565b92506120d96101408601611f49565b939692955092936101600135925050565b5f5f5f604084860312156120fc575f5ffd5b833567ffffffffffffffff811115612112575f5ffd5b8401601f81018613612122575f5ffd5b803567ffffffffffffffff811115612138575f5ffd5b8660206101808302840101111561214d575f5ffd5b6020918201979096509401359392505050565b803561ffff81168114611e35575f5ffd5b5f5f5f5f6101808587031215612185575f5ffd5b61218f8686611f38565b935061219e6101208601611f49565b925061014085013591506121b56101608601612160565b905092959194509250565b803564ffffffffff81168114611e35575f5ffd5b5f602082840312156121e4575f5ffd5b611de5826121c0565b634e487b7160e01b5f52601160045260245ffd5b80820180821115610574576105746121ed565b80356fffffffffffffffffffffffffffffffff81168114611e35575f5ffd5b813581526020808301359082015261012081016001600160a01b0361225a60408501611f49565b1660408301526001600160a01b0361227460608501611f49565b16606083015261228660808401611f49565b6001600160a01b031660808301526122a060a08401612160565b61ffff1660a08301526122b560c08401612214565b6fffffffffffffffffffffffffffffffff1660c08301526122d860e084016121c0565b64ffffffffff1660e08301526122f16101008401611f49565b6001600160a01b0381166101008401525092915050565b634e487b7160e01b5f52602160045260245ffd5b6003811061233857634e487b7160e01b5f52602160045260245ffd5b9052565b6040810161234a828561231c565b6001600160a01b03831660208301529392505050565b5f60208284031215612370575f5ffd5b611de582612160565b5f8261239357634e487b7160e01b5f52601260045260245ffd5b500490565b634e487b7160e01b5f52603260045260245ffd5b5f600182016123bd576123bd6121ed565b5060010190565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b60808101612407828761231c565b6001600160a01b039490941660208201529115156040830152606090910152919050565b5f6020828403121561243b575f5ffd5b5051919050565b5f60208284031215612452575f5ffd5b611de582612214565b60608101612469828661231c565b6001600160a01b03841660208301528215156040830152949350505050565b8082028115828204841417610574576105746121ed565b81810381811115610574576105746121ed56",
  "hash": "0x21cb66c8ac2b453f2e101ac6c413479468fed9134874b3d26dc8c301ed0a692d",
  "immutables": {
    "IMPL": [
      813,
      5655,
      7694
    ]
  }
}
