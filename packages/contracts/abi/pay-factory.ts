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
    "inputs": [],
    "name": "WouldGoThrough",
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
      },
      {
        "indexed": false,
        "internalType": "bytes",
        "name": "reason",
        "type": "bytes"
      }
    ],
    "name": "PushFailed",
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
    "name": "PUSH_GAS",
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
    "name": "RESCUE_DELAY",
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
    "name": "RESCUE_EXPIRY",
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
      }
    ],
    "name": "failedPushAt",
    "outputs": [
      {
        "internalType": "uint40",
        "name": "",
        "type": "uint40"
      }
    ],
    "stateMutability": "view",
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
      },
      {
        "internalType": "bool",
        "name": "back",
        "type": "bool"
      },
      {
        "internalType": "bool",
        "name": "keep",
        "type": "bool"
      }
    ],
    "name": "pushItem",
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
    "name": "rescue",
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
export const payFactoryBytecode: `0x${string}` = '0x60a06040523461039357612d7e8038038061001981610397565b92833981019060808183031261039357610032816103bc565b60208201519091906001600160401b03811161039357836100549183016103d0565b60408201519091906001600160401b03811161039357846100769183016103d0565b60608201519094906001600160401b0381116103935761009692016103d0565b916001600160a01b0316801561038057600180546001600160a01b03199081169091555f8054918216831781556001600160a01b03909116907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a35f925f5b82518110156101b4576001600160a01b03610112828561043a565b51161561018b57846001600160a01b0361012c838661043a565b51169561017757506001905f8052600260205260405f20865f5260205260405f208260ff198254161790555f955f5f516020612d5e5f395f51905f526020604051868152a3016100f7565b634e487b7160e01b81526021600452602490fd5b60249085906001600160a01b03906101a3908661043a565b51637833514560e11b835216600452fd5b50825f915f5b8151811015610252576001600160a01b036101d5828461043a565b51161561023a57836001600160a01b036101ef838561043a565b5116946101775750600190815f52600260205260405f20855f5260205260405f208260ff198254161790555f94825f516020612d5e5f395f51905f526020604051838152a3016101ba565b60249184916001600160a01b03916101a3919061043a565b5f83815b81518110156102ee576001600160a01b03610271828461043a565b5116156102d857826001600160a01b0361028b838561043a565b511693610177575060019060025f52600260205260405f20845f5260205260405f208260ff198254161790555f9360025f516020612d5e5f395f51905f526020604051868152a301610256565b602492916001600160a01b03916101a39161043a565b60405161027c8082016001600160401b0381118382101761036c578291612ae2833903905ff08015610361576001600160a01b031660805260405161267f9081610463823960805181818161059801528181610a5e01528181610eca015281816110e5015281816113af01526121060152f35b6040513d5f823e3d90fd5b634e487b7160e01b5f52604160045260245ffd5b631e4fbdf760e01b5f525f60045260245ffd5b5f80fd5b6040519190601f01601f191682016001600160401b0381118382101761036c57604052565b51906001600160a01b038216820361039357565b9080601f83011215610393578151916001600160401b03831161036c578260051b90602080610400818501610397565b80968152019282010192831161039357602001905b8282106104225750505090565b6020809161042f846103bc565b815201910190610415565b805182101561044e5760209160051b010190565b634e487b7160e01b5f52603260045260245ffdfe6080806040526004361015610012575f80fd5b5f3560e01c90816309519cfa14611413575080630a1eb92b146113445780630df394de14611313578063190da595146112f65780631aa97065146112b45780631f700e2614611298578063228f3fc01461120a578063297a3c671461114e5780632b68f2a5146111315780633a65e0071461111457806356973ee5146110d0578063593e9ed51461101b578063715018a614610ffc57806379ba509714610f7c5780638340ead114610f5f5780638da5cb5b14610f3857806397897cd914610e635780639e97b8f614610e07578063a4d8308814610dba578063a851647514610d62578063aa56552f14610cb1578063aa93944314610c94578063baad2afb14610bd8578063bc00449c14610b16578063c0aad141146102b7578063c61e9bd3146108d0578063cac1eb0d14610837578063d55be8c61461081b578063d876a27f1461075e578063d90866d61461073c578063e021c1cd14610709578063e2ae7e5314610519578063e30c3978146104f1578063e4fc7c151461048c578063e66082a41461034b578063eab1e359146102b7578063edfbce491461032e578063f2fde38b146102bc578063f56cd69c146102b7578063f788acef146102075763ff936490146101df575f80fd5b346102035760206101fb6101f2366114eb565b92919091611a75565b604051908152f35b5f80fd5b34610203573660031901610180811261020357610120136102035761022a611440565b6101643561ffff811680910361020357335f9081527fac33ff75c19e70fe83507db0d683fd3465c996598dc972688b7ace676c89077b602052604090205460ff16156102a05761028e9161027c611abc565b6101443590610289611587565b611b2b565b5f5f51602061263f5f395f51905f525d005b63270b2a6b60e01b5f525f6004523360245260445ffd5b611534565b34610203576020366003190112610203576102d5611457565b6102dd6120d2565b60018060a01b0316806bffffffffffffffffffffffff60a01b600154161760015560018060a01b035f54167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227005f80a3005b34610203575f3660031901126102035760206040516276a7008152f35b346102035761035936611481565b91906103636120d2565b6001600160a01b03169182156104795761037c826114bd565b835f5260205260405f2090151590815f5260205260405f205480151580610463575b61043257506202a300420180421161041e576103b9836114bd565b845f5260205260405f20825f526020528060405f2055600383101561040a577f5cca4e818c0838d57a8381a434ed6754d6be66c4a4a644752fa58b7ece1cce439160409182519182526020820152a3005b634e487b7160e01b5f52602160045260245ffd5b634e487b7160e01b5f52601160045260245ffd5b6040516398414d6560e01b81529184600385101561040a576084946004850152602484015260448301526064820152fd5b5062093a80810180821161041e5742111561039e565b82637833514560e11b5f5260045260245ffd5b3461020357366003190161016081126102035761012013610203576104af611440565b610144356001600160a01b0381168103610203576104d4916104cf611587565b61247e565b5f526006602052602064ffffffffff60405f205416604051908152f35b34610203575f366003190112610203576001546040516001600160a01b039091168152602090f35b3461020357610527366114eb565b335f9081527fe90b7bceb6e7df5418fb78d8ee546e97c83a08bbccc01a0644d599ccd2a7c2e06020526040902054909391929060ff16156106f15760ff600454166106e25761010082016001600160a01b0361058282611769565b166106b957506105bc61059483611660565b30907f00000000000000000000000000000000000000000000000000000000000000006125dc565b916105c88585856124b3565b6105d485858484611a75565b93845f52600560205264ffffffffff60405f205416801515806106a7575b61069157506201518042019586421161041e57602086937f33e15d0ba66c52185db60a0eabe56a32a372c5a73558b3b58d318a3b7b861a3d9360809364ffffffffff849b1691875f526005855260405f2064ffffffffff841664ffffffffff198254161790556040519860018060a01b0316895260018060a01b0316848901526040880152606087015201359460018060a01b031693a4604051908152f35b856341b88acf60e01b5f5260045260245260445ffd5b506106b1816120e5565b4211156105f2565b6106c290611769565b63a8d0477160e01b5f9081526001600160a01b0391909116600452602490fd5b6362603d5d60e11b5f5260045ffd5b63270b2a6b60e01b5f5260016004523360245260445ffd5b34610203573660031901610140811261020357610120136102035761028e61072f611440565b610737611abc565b6117f9565b34610203575f36600319011261020357602060ff600454166040519015158152f35b346102035761076c366114eb565b9160ff600454166106e25761077f611abc565b61078b83838387611a75565b93845f52600560205264ffffffffff60405f205416948515610809576107b086611b14565b6107b9866120e5565b42116107ea5761028e95505f52600560205260405f2064ffffffffff1981541690556107e481611660565b90611f03565b6107f3866120e5565b63388b017360e01b5f526004524260245260445ffd5b630b1e4ead60e11b5f5260045260245ffd5b34610203575f3660031901126102035760206040516103e88152f35b34610203575f366003190112610203575f546001600160a01b0316331415806108ab575b61089857600160ff1960045416176004557f33702c953197698a2237e5ffbad9def2c98e5e1e75de68618418f455e33380676020604051338152a1005b63fa5cd00f60e01b5f523360045260245ffd5b50335f9081525f51602061265f5f395f51905f52602052604090205460ff161561085b565b346102035760403660031901126102035760043567ffffffffffffffff811161020357366023820112156102035780600401359067ffffffffffffffff821161020357602481019060243691610180850201011161020357335f9081527fac33ff75c19e70fe83507db0d683fd3465c996598dc972688b7ace676c89077b60205260409020546024359060ff16156102a05761096a611abc565b5f92620493e08210610afc57603f820482019283831161041e57619c40840180941161041e57939291905f945b8186106109b9576020855f5f51602061263f5f395f51905f525d604051908152f35b90919293845a10610ae0576109cf8684846117b0565b60405163a851647560e01b8152906101809060048301375f806101848382308af16060918115610aac575b5015610a1b57505f19811461041e576001809101955b019493929190610997565b9560019196610a2b8286866117b0565b907f8028765fd177e067a32f57039418afaee1e99d1d47ff59a0434bb056e0052d566020610a8230610a5c86611660565b7f00000000000000000000000000000000000000000000000000000000000000006125dc565b93610aa4604051928392818452013595888060a01b03169460208301906117d5565b0390a3610a10565b9091503d6101808111610ad7575b808252805f602084013e603f01601f1916810160405290886109fa565b50610180610aba565b84865a906315d9f1dd60e11b5f5260045260245260445260645ffd5b506351f35c5560e01b5f52600452620493e060245260445ffd5b3461020357610b2436611481565b9190610b2e6120d2565b610b39838284611fbe565b804210610bc25762093a80810180911161041e578042116107f35750610b5e826114d4565b60018060a01b0382165f5260205260405f2060ff1981541660ff85151516179055600382101561040a5760405192151583526001600160a01b0316917fac30881e9d764604d66d4e015a053d61755cba87648d5659ecaa322e8de35dc890602090a3005b63e58369d160e01b5f526004524260245260445ffd5b3461020357610be6366114eb565b916001600160a01b03610bfb60608601611769565b1633141580610c6f575b61089857610c1293611a75565b805f52600560205264ffffffffff60405f2054161561080957805f52600560205260405f2064ffffffffff1981541690557f2217bcbf80f86987fccc3566c17e64ba4bac344105f122b295d0a54a54d2dec16020604051338152a2005b50335f9081525f51602061265f5f395f51905f52602052604090205460ff1615610c05565b34610203575f3660031901126102035760206040516202a3008152f35b3461020357602036600319011261020357610cca611457565b5f546001600160a01b031633141580610d3d575b61089857610cec60016114d4565b6001600160a01b03919091165f81815260209283526040808220805460ff191690555190815290916001917fac30881e9d764604d66d4e015a053d61755cba87648d5659ecaa322e8de35dc89190a3005b50335f9081525f51602061265f5f395f51905f52602052604090205460ff1615610cde565b346102035761018036600319011261020357303303610da857610da6610d86611587565b610d8e61173b565b9061ffff610d9a61177d565b16916101443591611b2b565b005b62a19dbf60e81b5f523360045260245ffd5b34610203575f36600319011261020357610dd26120d2565b60ff19600454166004557eda475b1a6170bf055128adb8673de5f5f7be57aff1f9a1782f4ff5a8e181c66020604051338152a1005b3461020357604036600319011261020357600435600381101561020357602435906001600160a01b038216820361020357610e41906114d4565b9060018060a01b03165f52602052602060ff60405f2054166040519015158152f35b346102035761012036600319011261020357610e7d611abc565b60e43564ffffffffff811680820361020357610e999150611b14565b6044356001600160a01b038116810361020357610eb4612045565b610ebe6004611660565b91610ef381610eee30867f00000000000000000000000000000000000000000000000000000000000000006125dc565b61219e565b91610f008383600461221b565b15610f26575061010435906001600160a01b03821682036102035761028e936004611f03565b9190610f33936004611cbb565b61028e565b34610203575f366003190112610203575f546040516001600160a01b039091168152602090f35b34610203575f366003190112610203576020604051620493e08152f35b34610203575f36600319011261020357600154336001600160a01b03821603610fe9576001600160a01b03199081166001555f805433928116831782556001600160a01b0316907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a3005b63118cdaa760e01b5f523360045260245ffd5b34610203575f3660031901126102035763bfd28ce160e01b5f5260045ffd5b34610203573660031901610160811261020357610120136102035761103e611440565b335f9081527fe90b7bceb6e7df5418fb78d8ee546e97c83a08bbccc01a0644d599ccd2a7c2e0602052604090205460ff16156106f15760ff600454166106e257611086611abc565b6001600160a01b03611096611752565b16156110bb5761028e906110a8611587565b61014435916110b5611752565b91611e48565b63bb17120160e01b5f5260243560045260245ffd5b34610203575f366003190112610203576040517f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b34610203575f36600319011261020357602060405162278d008152f35b34610203575f366003190112610203576020604051621e84808152f35b346102035761115c36611481565b5f546001600160a01b031633141592919083806111e5575b610898578015809481956111dd575b5061089857611193908284611fbe565b50600382101561040a5760408051931584523360208501526001600160a01b03909116927fbf83738644cbb3fd08fea4e8996ddbec84035394483b3f2e0212d9e0bfeecdce9190a3005b905085611183565b50335f9081525f51602061265f5f395f51905f52602052604090205460ff1615611174565b346102035736600319016101c08112610203576101801361020357610184358015158103610203576101a4359081159182150361020357303303610da8571561128857611273611258611587565b61126061173b565b611268611752565b906101443592611e48565b61127957005b632e397b8760e01b5f5260045ffd5b611293610d86611587565b611273565b34610203576101203660031901126102035760206101fb611587565b34610203576112cd6112c536611481565b9290916114bd565b9060018060a01b03165f5260205260405f209015155f52602052602060405f2054604051908152f35b34610203575f366003190112610203576020604051620151808152f35b3461020357610120366003190112610203576020611332610594611587565b6040516001600160a01b039091168152f35b346102035736600319016101408112610203576101201361020357611367611440565b61136f611abc565b60e43564ffffffffff81169081810361020357506276a700810180911161041e5761139990611b14565b6113a36004611660565b906113d381610eee30857f00000000000000000000000000000000000000000000000000000000000000006125dc565b906113e08282600461221b565b156114055761010435906001600160a01b03821682036102035761028e936004611f03565b905f91610f33936004611cbb565b34610203576020366003190112610203576020906004355f526005825264ffffffffff60405f2054168152f35b61012435906001600160a01b038216820361020357565b600435906001600160a01b038216820361020357565b35906001600160a01b038216820361020357565b606090600319011261020357600435600381101561020357906024356001600160a01b0381168103610203579060443580151581036102035790565b600381101561040a575f52600360205260405f2090565b600381101561040a575f52600260205260405f2090565b600319016101808112610203576101201361020357600490610124356001600160a01b03811681036102035790610144356001600160a01b038116810361020357906101643590565b34610203575f36600319011261020357602060405162093a808152f35b90601f8019910116810190811067ffffffffffffffff82111761157357604052565b634e487b7160e01b5f52604160045260245ffd5b60405160208101906004358252602435604082015260443560018060a01b0381168091036102035760608201526064356001600160a01b038116908190036102035760808201526084356001600160a01b038116908190036102035760a082015260a43561ffff81168091036102035760c082015260c4356001600160801b0381168091036102035760e082015260e43564ffffffffff811680910361020357610100820152610104356001600160a01b0381169081900361020357610120820152610120815261165a61014082611551565b51902090565b6040516020810191803583526020810135604083015260018060a01b036116896040830161146d565b16606083015260018060a01b036116a26060830161146d565b16608083015260018060a01b036116bb6080830161146d565b1660a083015260a081013561ffff811681036102035761ffff1660c083015260c08101356001600160801b0381168091036102035760e083015260e081013564ffffffffff81168091036102035761010083015261172361010060018060a01b03920161146d565b16610120820152610120815261165a61014082611551565b610124356001600160a01b03811681036102035790565b610104356001600160a01b03811681036102035790565b356001600160a01b03811681036102035790565b6101643561ffff811681036102035790565b3561ffff811681036102035790565b3564ffffffffff811681036102035790565b91908110156117c157610180020190565b634e487b7160e01b5f52603260045260245ffd5b805180835260209291819084018484015e5f828201840152601f01601f1916010190565b6044356001600160a01b0381169081810361020357506001600160a01b038216908103611a635760e43564ffffffffff81168082036102035761183c9150611b14565b6118466004611660565b61184f81612103565b906040519360a0850185811067ffffffffffffffff82111761157357604052602085015f8152604086015f815260608701905f825260808801905f8252878952611899858861219e565b84526118a56004611af1565b421015611a5c576118b6600461208a565b905b526118c6835185600461221b565b15158252600181526118d98860046122a4565b9590611a5157825115611a2f5761010435906001600160a01b03821682036102035781611909925095869161247e565b97885f52600660205264ffffffffff60405f205416918215159384611a17575b846119f9575b61194593508051159052831515905260046122a4565b50156119f1571561196e5750505050505f52600660205260405f2064ffffffffff198154169055565b7f9301edd54e9ba81612ab483176e2d418d4ca86c835950f40dfac5db2dcc404ef929394955f52600660205260405f2064ffffffffff8042161664ffffffffff198254161790555160405195865260208601526060604086015260018060a01b031693806119ec6024359560018060a01b03169460608301906117d5565b0390a4565b835160208501fd5b62093a80840180941161041e57611a1261194594611b14565b61192f565b935062278d00830180841161041e5742111593611929565b606435906001600160a01b03821682036102035781611909925095869161247e565b505050505050505050565b5f906118b8565b61183c611a706004611af1565b611b14565b611a829093919293611660565b92604051926020840194855260018060a01b0316604084015260018060a01b0316606083015260808201526080815261165a60a082611551565b5f51602061263f5f395f51905f525c611ae25760015f51602061263f5f395f51905f525d565b633ee5aeb560e01b5f5260045ffd5b611b0360e064ffffffffff920161179e565b166276a700810180911161041e5790565b804210610bc25750565b9190820391821161041e57565b909291600435804603611ca55750611b43600461208a565b808411611c8f57508015611c8057606435926001600160a01b03841692838514159283610203578415611c6d57611b7982612103565b92808202908282040361041e5761271090049361020357611bf792611ba287898795600461250b565b60018060a01b031695856040519860018060a01b031698898152836020820152846040820152887f07a1d83672752f29c65f696c9900a1d44e1bafa249092d94da37617fbaf262f2606060243593a450611b1e565b936084356001600160a01b038116908181036102035750843b15610203575f9460a4938692604051988997889663dd05126960e01b8852600488015260248701526044860152606485015260848401525af18015611c6257611c565750565b5f611c6091611551565b565b6040513d5f823e3d90fd5b84637833514560e11b5f5260045260245ffd5b631f2a200560e01b5f5260045ffd5b836373ab893560e11b5f5260045260245260445ffd5b6324497bc360e01b5f526004524660245260445ffd5b939291928435804603611ca55750611cd28561208a565b808211611e3257508215611c8057606085016001600160a01b03611cf582611769565b1615611e0957611d0483612103565b91808502908582040361041e57611daa611d4094611da4611db1948a60209a8a98612710608098049a8b9683611d3987611769565b918661250b565b7f07a1d83672752f29c65f696c9900a1d44e1bafa249092d94da37617fbaf262f26060611d6c86611769565b9260018060a01b03169e8f936040519560018060a01b03169d8e87528287015289604087015260018060a01b031695013593a4611769565b96611b1e565b9601611769565b843b15610203575f9460a4938692604051988997889663dd05126960e01b8852600488015260018060a01b03166024870152604486015260018060a01b0316606485015260848401525af18015611c6257611c565750565b611e1290611769565b637833514560e11b5f9081526001600160a01b0391909116600452602490fd5b906373ab893560e11b5f5260045260245260445ffd5b919091611e6c8284611e5984612103565b93611e658884876124b3565b600461250b565b604080516001600160a01b03948516808252602082018790529493841693929092169183916024359184917fda90e08f23a6f9c7c958e458a0a30977ec193922f2706ace02e942d1de4401d591a4803b15610203575f928360a492604051968795869463dd05126960e01b86526004860152602485015260448401528160648401528160848401525af18015611c6257611c565750565b9290611f258284611f1384612103565b93611f1f8984876124b3565b8761250b565b604080516001600160a01b0394851680825260208281018990529096948616959390931693859301359184917fda90e08f23a6f9c7c958e458a0a30977ec193922f2706ace02e942d1de4401d59190a4803b15610203575f928360a492604051968795869463dd05126960e01b86526004860152602485015260448401528160648401528160848401525af18015611c6257611c565750565b929190611fca846114bd565b60018060a01b0382165f5260205260405f2091151591825f5260205260405f205493841561201b57611ffb906114bd565b9060018060a01b03165f5260205260405f20905f526020525f6040812055565b632121413760e21b5f52600381101561040a576004526001600160a01b031660245260445260645ffd5b6084356001600160a01b038116908181036102035750156120865760a43561ffff8116808203610203576103e8111561207f5761ffff1690565b506103e890565b5f90565b6001600160a01b0361209e60808301611769565b16156120cd5760a0016103e861ffff6120b68361178f565b16101561207f576120c961ffff9161178f565b1690565b505f90565b5f546001600160a01b03163303610fe957565b6201517f1981019080821161041e576207e9000180911161041e5790565b907f0000000000000000000000000000000000000000000000000000000000000000916121313082856125dc565b92833b1561213d575050565b80763d602d80600a3d3981f3363d3d373d3d3d363d7300000062ffffff6e5af43d82803e903d91602b57fd5bf39360881c16175f5260781b1760205260018060a01b0390603760095ff5161561218f57565b63b06ebf3d60e01b5f5260045ffd5b906001600160a01b0316806121b257503190565b6040516370a0823160e01b81526001600160a01b039092166004830152602090829060249082905afa908115611c62575f916121ec575090565b90506020813d602011612213575b8161220760209383611551565b81010312610203575190565b3d91506121fa565b91823546149182612278575b5081612257575b5015908161223a575090565b6001600160a01b0391506122519061010001611769565b16151590565b905060c0820135906001600160801b0382168092036102035710155f61222e565b9091506001600160a01b0361228f60408501611769565b6001600160a01b03909216911614905f612227565b606082018051909391929015612474575f5b621f9cc25a106123da57604051628a3cff60e61b81526122f69161012086600484013760408461012484015e61016482015260408661018483015e612592565b909490851580612468575b61240e575b93851580612405575b806123f8575b61231e57505050565b919350919350621f9cc25a106123da57604061236292610120825193628a3cff60e61b85526004850137818561012485015e5f61016484015261018483015e612592565b9091821590816123cd575b50612376579091565b805160208201519192506001600160e01b0319821691600482106123ad575b50506001600160e01b031916632e397b8760e01b1491565b6001600160e01b031960049290920360031b82901b161690505f80612395565b608091500151155f61236d565b5a6315d9f1dd60e11b5f525f600452602452621f9cc260445260645ffd5b5060408301511515612315565b5081511561230f565b805160208201519196506001600160e01b031982169160048210612448575b50506001600160e01b031916632e397b8760e01b1494612306565b6001600160e01b031960049290920360031b82901b161690505f8061242d565b50608083015115612301565b60408101516122b6565b91604051916020830193845260018060a01b0316604083015260018060a01b031660608201526060815261165a608082611551565b9115611c80576001600160a01b0316908115908115612501575b81156124ee575b506124dc5750565b637833514560e11b5f5260045260245ffd5b6001600160a01b0316821490505f6124d4565b30831491506124cd565b9291909264ffffffffff61252160e0830161179e565b164210908115612573575b5061256e5761253a9261247e565b805f52600660205264ffffffffff60405f2054166125555750565b5f52600660205260405f2064ffffffffff198154169055565b505050565b6001600160a01b03915061258a9061010001611769565b16155f61252c565b5f806101c4838230621e8480f19160609183156125ac5750565b9091503d61018081116125d3575b808252805f602084013e603f01601f1916810160405290565b506101806125ba565b60405160388101939093526f5af43d82803e903d91602b57fd5bf3ff60248401526014830152733d602d80600a3d3981f3363d3d373d3d3d363d73825260588201526037600c820120607882015260556043909101206001600160a01b03169056fe9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00679795a0195a1b76cdebb7c51d74e058aee92919b8c3389af86ef24535e8a28c60a080604052346028573360805261024f908161002d8239608051818181608e01526101030152f35b5f80fdfe608080604052600436101561001c575b50361561001a575f80fd5b005b5f3560e01c9081632dd31000146100f1575063dd0512691461003e575f61000f565b346100ed5760a03660031901126100ed576004356001600160a01b03811681036100ed576024356001600160a01b03811681036100ed576064356001600160a01b03811681036100ed57608435917f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031633036100da576100ca906044359085610132565b816100d157005b61001a92610132565b635aa8141760e11b5f523360045260245ffd5b5f80fd5b346100ed575f3660031901126100ed577f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b6001600160a01b03811690816101745750505f808080858561ea60f115610157575050565b63296c17bb60e21b5f5260018060a01b031660045260245260445ffd5b60405163a9059cbb60e01b81526001600160a01b0390931660048401819052602484018590525f808052909492936020919060449082855af1903d15610246575060015f5114601f3d1116165b156101cb57505050565b9060a4913d9060a0821161023d575b604051908282526020820192805f853e603f601f199101168201958694856040526311a2d17d60e11b8652600486015260248501526044840152608060648401525180918160848501528484015e5f828201840152601f01601f19168101030190fd5b60a091506101da565b3b1515166101c156ac30881e9d764604d66d4e015a053d61755cba87648d5659ecaa322e8de35dc8'

/** Code on the chain with zeros for the immutables, the keccak-256 of that, and the byte offsets of each immutable. */
export const payFactoryRuntime: { code: `0x${string}`; hash: `0x${string}`; immutables: Record<string, readonly number[]> } = {
  "code": "0x6080806040526004361015610012575f80fd5b5f3560e01c90816309519cfa14611413575080630a1eb92b146113445780630df394de14611313578063190da595146112f65780631aa97065146112b45780631f700e2614611298578063228f3fc01461120a578063297a3c671461114e5780632b68f2a5146111315780633a65e0071461111457806356973ee5146110d0578063593e9ed51461101b578063715018a614610ffc57806379ba509714610f7c5780638340ead114610f5f5780638da5cb5b14610f3857806397897cd914610e635780639e97b8f614610e07578063a4d8308814610dba578063a851647514610d62578063aa56552f14610cb1578063aa93944314610c94578063baad2afb14610bd8578063bc00449c14610b16578063c0aad141146102b7578063c61e9bd3146108d0578063cac1eb0d14610837578063d55be8c61461081b578063d876a27f1461075e578063d90866d61461073c578063e021c1cd14610709578063e2ae7e5314610519578063e30c3978146104f1578063e4fc7c151461048c578063e66082a41461034b578063eab1e359146102b7578063edfbce491461032e578063f2fde38b146102bc578063f56cd69c146102b7578063f788acef146102075763ff936490146101df575f80fd5b346102035760206101fb6101f2366114eb565b92919091611a75565b604051908152f35b5f80fd5b34610203573660031901610180811261020357610120136102035761022a611440565b6101643561ffff811680910361020357335f9081527fac33ff75c19e70fe83507db0d683fd3465c996598dc972688b7ace676c89077b602052604090205460ff16156102a05761028e9161027c611abc565b6101443590610289611587565b611b2b565b5f5f51602061263f5f395f51905f525d005b63270b2a6b60e01b5f525f6004523360245260445ffd5b611534565b34610203576020366003190112610203576102d5611457565b6102dd6120d2565b60018060a01b0316806bffffffffffffffffffffffff60a01b600154161760015560018060a01b035f54167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227005f80a3005b34610203575f3660031901126102035760206040516276a7008152f35b346102035761035936611481565b91906103636120d2565b6001600160a01b03169182156104795761037c826114bd565b835f5260205260405f2090151590815f5260205260405f205480151580610463575b61043257506202a300420180421161041e576103b9836114bd565b845f5260205260405f20825f526020528060405f2055600383101561040a577f5cca4e818c0838d57a8381a434ed6754d6be66c4a4a644752fa58b7ece1cce439160409182519182526020820152a3005b634e487b7160e01b5f52602160045260245ffd5b634e487b7160e01b5f52601160045260245ffd5b6040516398414d6560e01b81529184600385101561040a576084946004850152602484015260448301526064820152fd5b5062093a80810180821161041e5742111561039e565b82637833514560e11b5f5260045260245ffd5b3461020357366003190161016081126102035761012013610203576104af611440565b610144356001600160a01b0381168103610203576104d4916104cf611587565b61247e565b5f526006602052602064ffffffffff60405f205416604051908152f35b34610203575f366003190112610203576001546040516001600160a01b039091168152602090f35b3461020357610527366114eb565b335f9081527fe90b7bceb6e7df5418fb78d8ee546e97c83a08bbccc01a0644d599ccd2a7c2e06020526040902054909391929060ff16156106f15760ff600454166106e25761010082016001600160a01b0361058282611769565b166106b957506105bc61059483611660565b30907f00000000000000000000000000000000000000000000000000000000000000006125dc565b916105c88585856124b3565b6105d485858484611a75565b93845f52600560205264ffffffffff60405f205416801515806106a7575b61069157506201518042019586421161041e57602086937f33e15d0ba66c52185db60a0eabe56a32a372c5a73558b3b58d318a3b7b861a3d9360809364ffffffffff849b1691875f526005855260405f2064ffffffffff841664ffffffffff198254161790556040519860018060a01b0316895260018060a01b0316848901526040880152606087015201359460018060a01b031693a4604051908152f35b856341b88acf60e01b5f5260045260245260445ffd5b506106b1816120e5565b4211156105f2565b6106c290611769565b63a8d0477160e01b5f9081526001600160a01b0391909116600452602490fd5b6362603d5d60e11b5f5260045ffd5b63270b2a6b60e01b5f5260016004523360245260445ffd5b34610203573660031901610140811261020357610120136102035761028e61072f611440565b610737611abc565b6117f9565b34610203575f36600319011261020357602060ff600454166040519015158152f35b346102035761076c366114eb565b9160ff600454166106e25761077f611abc565b61078b83838387611a75565b93845f52600560205264ffffffffff60405f205416948515610809576107b086611b14565b6107b9866120e5565b42116107ea5761028e95505f52600560205260405f2064ffffffffff1981541690556107e481611660565b90611f03565b6107f3866120e5565b63388b017360e01b5f526004524260245260445ffd5b630b1e4ead60e11b5f5260045260245ffd5b34610203575f3660031901126102035760206040516103e88152f35b34610203575f366003190112610203575f546001600160a01b0316331415806108ab575b61089857600160ff1960045416176004557f33702c953197698a2237e5ffbad9def2c98e5e1e75de68618418f455e33380676020604051338152a1005b63fa5cd00f60e01b5f523360045260245ffd5b50335f9081525f51602061265f5f395f51905f52602052604090205460ff161561085b565b346102035760403660031901126102035760043567ffffffffffffffff811161020357366023820112156102035780600401359067ffffffffffffffff821161020357602481019060243691610180850201011161020357335f9081527fac33ff75c19e70fe83507db0d683fd3465c996598dc972688b7ace676c89077b60205260409020546024359060ff16156102a05761096a611abc565b5f92620493e08210610afc57603f820482019283831161041e57619c40840180941161041e57939291905f945b8186106109b9576020855f5f51602061263f5f395f51905f525d604051908152f35b90919293845a10610ae0576109cf8684846117b0565b60405163a851647560e01b8152906101809060048301375f806101848382308af16060918115610aac575b5015610a1b57505f19811461041e576001809101955b019493929190610997565b9560019196610a2b8286866117b0565b907f8028765fd177e067a32f57039418afaee1e99d1d47ff59a0434bb056e0052d566020610a8230610a5c86611660565b7f00000000000000000000000000000000000000000000000000000000000000006125dc565b93610aa4604051928392818452013595888060a01b03169460208301906117d5565b0390a3610a10565b9091503d6101808111610ad7575b808252805f602084013e603f01601f1916810160405290886109fa565b50610180610aba565b84865a906315d9f1dd60e11b5f5260045260245260445260645ffd5b506351f35c5560e01b5f52600452620493e060245260445ffd5b3461020357610b2436611481565b9190610b2e6120d2565b610b39838284611fbe565b804210610bc25762093a80810180911161041e578042116107f35750610b5e826114d4565b60018060a01b0382165f5260205260405f2060ff1981541660ff85151516179055600382101561040a5760405192151583526001600160a01b0316917fac30881e9d764604d66d4e015a053d61755cba87648d5659ecaa322e8de35dc890602090a3005b63e58369d160e01b5f526004524260245260445ffd5b3461020357610be6366114eb565b916001600160a01b03610bfb60608601611769565b1633141580610c6f575b61089857610c1293611a75565b805f52600560205264ffffffffff60405f2054161561080957805f52600560205260405f2064ffffffffff1981541690557f2217bcbf80f86987fccc3566c17e64ba4bac344105f122b295d0a54a54d2dec16020604051338152a2005b50335f9081525f51602061265f5f395f51905f52602052604090205460ff1615610c05565b34610203575f3660031901126102035760206040516202a3008152f35b3461020357602036600319011261020357610cca611457565b5f546001600160a01b031633141580610d3d575b61089857610cec60016114d4565b6001600160a01b03919091165f81815260209283526040808220805460ff191690555190815290916001917fac30881e9d764604d66d4e015a053d61755cba87648d5659ecaa322e8de35dc89190a3005b50335f9081525f51602061265f5f395f51905f52602052604090205460ff1615610cde565b346102035761018036600319011261020357303303610da857610da6610d86611587565b610d8e61173b565b9061ffff610d9a61177d565b16916101443591611b2b565b005b62a19dbf60e81b5f523360045260245ffd5b34610203575f36600319011261020357610dd26120d2565b60ff19600454166004557eda475b1a6170bf055128adb8673de5f5f7be57aff1f9a1782f4ff5a8e181c66020604051338152a1005b3461020357604036600319011261020357600435600381101561020357602435906001600160a01b038216820361020357610e41906114d4565b9060018060a01b03165f52602052602060ff60405f2054166040519015158152f35b346102035761012036600319011261020357610e7d611abc565b60e43564ffffffffff811680820361020357610e999150611b14565b6044356001600160a01b038116810361020357610eb4612045565b610ebe6004611660565b91610ef381610eee30867f00000000000000000000000000000000000000000000000000000000000000006125dc565b61219e565b91610f008383600461221b565b15610f26575061010435906001600160a01b03821682036102035761028e936004611f03565b9190610f33936004611cbb565b61028e565b34610203575f366003190112610203575f546040516001600160a01b039091168152602090f35b34610203575f366003190112610203576020604051620493e08152f35b34610203575f36600319011261020357600154336001600160a01b03821603610fe9576001600160a01b03199081166001555f805433928116831782556001600160a01b0316907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a3005b63118cdaa760e01b5f523360045260245ffd5b34610203575f3660031901126102035763bfd28ce160e01b5f5260045ffd5b34610203573660031901610160811261020357610120136102035761103e611440565b335f9081527fe90b7bceb6e7df5418fb78d8ee546e97c83a08bbccc01a0644d599ccd2a7c2e0602052604090205460ff16156106f15760ff600454166106e257611086611abc565b6001600160a01b03611096611752565b16156110bb5761028e906110a8611587565b61014435916110b5611752565b91611e48565b63bb17120160e01b5f5260243560045260245ffd5b34610203575f366003190112610203576040517f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b34610203575f36600319011261020357602060405162278d008152f35b34610203575f366003190112610203576020604051621e84808152f35b346102035761115c36611481565b5f546001600160a01b031633141592919083806111e5575b610898578015809481956111dd575b5061089857611193908284611fbe565b50600382101561040a5760408051931584523360208501526001600160a01b03909116927fbf83738644cbb3fd08fea4e8996ddbec84035394483b3f2e0212d9e0bfeecdce9190a3005b905085611183565b50335f9081525f51602061265f5f395f51905f52602052604090205460ff1615611174565b346102035736600319016101c08112610203576101801361020357610184358015158103610203576101a4359081159182150361020357303303610da8571561128857611273611258611587565b61126061173b565b611268611752565b906101443592611e48565b61127957005b632e397b8760e01b5f5260045ffd5b611293610d86611587565b611273565b34610203576101203660031901126102035760206101fb611587565b34610203576112cd6112c536611481565b9290916114bd565b9060018060a01b03165f5260205260405f209015155f52602052602060405f2054604051908152f35b34610203575f366003190112610203576020604051620151808152f35b3461020357610120366003190112610203576020611332610594611587565b6040516001600160a01b039091168152f35b346102035736600319016101408112610203576101201361020357611367611440565b61136f611abc565b60e43564ffffffffff81169081810361020357506276a700810180911161041e5761139990611b14565b6113a36004611660565b906113d381610eee30857f00000000000000000000000000000000000000000000000000000000000000006125dc565b906113e08282600461221b565b156114055761010435906001600160a01b03821682036102035761028e936004611f03565b905f91610f33936004611cbb565b34610203576020366003190112610203576020906004355f526005825264ffffffffff60405f2054168152f35b61012435906001600160a01b038216820361020357565b600435906001600160a01b038216820361020357565b35906001600160a01b038216820361020357565b606090600319011261020357600435600381101561020357906024356001600160a01b0381168103610203579060443580151581036102035790565b600381101561040a575f52600360205260405f2090565b600381101561040a575f52600260205260405f2090565b600319016101808112610203576101201361020357600490610124356001600160a01b03811681036102035790610144356001600160a01b038116810361020357906101643590565b34610203575f36600319011261020357602060405162093a808152f35b90601f8019910116810190811067ffffffffffffffff82111761157357604052565b634e487b7160e01b5f52604160045260245ffd5b60405160208101906004358252602435604082015260443560018060a01b0381168091036102035760608201526064356001600160a01b038116908190036102035760808201526084356001600160a01b038116908190036102035760a082015260a43561ffff81168091036102035760c082015260c4356001600160801b0381168091036102035760e082015260e43564ffffffffff811680910361020357610100820152610104356001600160a01b0381169081900361020357610120820152610120815261165a61014082611551565b51902090565b6040516020810191803583526020810135604083015260018060a01b036116896040830161146d565b16606083015260018060a01b036116a26060830161146d565b16608083015260018060a01b036116bb6080830161146d565b1660a083015260a081013561ffff811681036102035761ffff1660c083015260c08101356001600160801b0381168091036102035760e083015260e081013564ffffffffff81168091036102035761010083015261172361010060018060a01b03920161146d565b16610120820152610120815261165a61014082611551565b610124356001600160a01b03811681036102035790565b610104356001600160a01b03811681036102035790565b356001600160a01b03811681036102035790565b6101643561ffff811681036102035790565b3561ffff811681036102035790565b3564ffffffffff811681036102035790565b91908110156117c157610180020190565b634e487b7160e01b5f52603260045260245ffd5b805180835260209291819084018484015e5f828201840152601f01601f1916010190565b6044356001600160a01b0381169081810361020357506001600160a01b038216908103611a635760e43564ffffffffff81168082036102035761183c9150611b14565b6118466004611660565b61184f81612103565b906040519360a0850185811067ffffffffffffffff82111761157357604052602085015f8152604086015f815260608701905f825260808801905f8252878952611899858861219e565b84526118a56004611af1565b421015611a5c576118b6600461208a565b905b526118c6835185600461221b565b15158252600181526118d98860046122a4565b9590611a5157825115611a2f5761010435906001600160a01b03821682036102035781611909925095869161247e565b97885f52600660205264ffffffffff60405f205416918215159384611a17575b846119f9575b61194593508051159052831515905260046122a4565b50156119f1571561196e5750505050505f52600660205260405f2064ffffffffff198154169055565b7f9301edd54e9ba81612ab483176e2d418d4ca86c835950f40dfac5db2dcc404ef929394955f52600660205260405f2064ffffffffff8042161664ffffffffff198254161790555160405195865260208601526060604086015260018060a01b031693806119ec6024359560018060a01b03169460608301906117d5565b0390a4565b835160208501fd5b62093a80840180941161041e57611a1261194594611b14565b61192f565b935062278d00830180841161041e5742111593611929565b606435906001600160a01b03821682036102035781611909925095869161247e565b505050505050505050565b5f906118b8565b61183c611a706004611af1565b611b14565b611a829093919293611660565b92604051926020840194855260018060a01b0316604084015260018060a01b0316606083015260808201526080815261165a60a082611551565b5f51602061263f5f395f51905f525c611ae25760015f51602061263f5f395f51905f525d565b633ee5aeb560e01b5f5260045ffd5b611b0360e064ffffffffff920161179e565b166276a700810180911161041e5790565b804210610bc25750565b9190820391821161041e57565b909291600435804603611ca55750611b43600461208a565b808411611c8f57508015611c8057606435926001600160a01b03841692838514159283610203578415611c6d57611b7982612103565b92808202908282040361041e5761271090049361020357611bf792611ba287898795600461250b565b60018060a01b031695856040519860018060a01b031698898152836020820152846040820152887f07a1d83672752f29c65f696c9900a1d44e1bafa249092d94da37617fbaf262f2606060243593a450611b1e565b936084356001600160a01b038116908181036102035750843b15610203575f9460a4938692604051988997889663dd05126960e01b8852600488015260248701526044860152606485015260848401525af18015611c6257611c565750565b5f611c6091611551565b565b6040513d5f823e3d90fd5b84637833514560e11b5f5260045260245ffd5b631f2a200560e01b5f5260045ffd5b836373ab893560e11b5f5260045260245260445ffd5b6324497bc360e01b5f526004524660245260445ffd5b939291928435804603611ca55750611cd28561208a565b808211611e3257508215611c8057606085016001600160a01b03611cf582611769565b1615611e0957611d0483612103565b91808502908582040361041e57611daa611d4094611da4611db1948a60209a8a98612710608098049a8b9683611d3987611769565b918661250b565b7f07a1d83672752f29c65f696c9900a1d44e1bafa249092d94da37617fbaf262f26060611d6c86611769565b9260018060a01b03169e8f936040519560018060a01b03169d8e87528287015289604087015260018060a01b031695013593a4611769565b96611b1e565b9601611769565b843b15610203575f9460a4938692604051988997889663dd05126960e01b8852600488015260018060a01b03166024870152604486015260018060a01b0316606485015260848401525af18015611c6257611c565750565b611e1290611769565b637833514560e11b5f9081526001600160a01b0391909116600452602490fd5b906373ab893560e11b5f5260045260245260445ffd5b919091611e6c8284611e5984612103565b93611e658884876124b3565b600461250b565b604080516001600160a01b03948516808252602082018790529493841693929092169183916024359184917fda90e08f23a6f9c7c958e458a0a30977ec193922f2706ace02e942d1de4401d591a4803b15610203575f928360a492604051968795869463dd05126960e01b86526004860152602485015260448401528160648401528160848401525af18015611c6257611c565750565b9290611f258284611f1384612103565b93611f1f8984876124b3565b8761250b565b604080516001600160a01b0394851680825260208281018990529096948616959390931693859301359184917fda90e08f23a6f9c7c958e458a0a30977ec193922f2706ace02e942d1de4401d59190a4803b15610203575f928360a492604051968795869463dd05126960e01b86526004860152602485015260448401528160648401528160848401525af18015611c6257611c565750565b929190611fca846114bd565b60018060a01b0382165f5260205260405f2091151591825f5260205260405f205493841561201b57611ffb906114bd565b9060018060a01b03165f5260205260405f20905f526020525f6040812055565b632121413760e21b5f52600381101561040a576004526001600160a01b031660245260445260645ffd5b6084356001600160a01b038116908181036102035750156120865760a43561ffff8116808203610203576103e8111561207f5761ffff1690565b506103e890565b5f90565b6001600160a01b0361209e60808301611769565b16156120cd5760a0016103e861ffff6120b68361178f565b16101561207f576120c961ffff9161178f565b1690565b505f90565b5f546001600160a01b03163303610fe957565b6201517f1981019080821161041e576207e9000180911161041e5790565b907f0000000000000000000000000000000000000000000000000000000000000000916121313082856125dc565b92833b1561213d575050565b80763d602d80600a3d3981f3363d3d373d3d3d363d7300000062ffffff6e5af43d82803e903d91602b57fd5bf39360881c16175f5260781b1760205260018060a01b0390603760095ff5161561218f57565b63b06ebf3d60e01b5f5260045ffd5b906001600160a01b0316806121b257503190565b6040516370a0823160e01b81526001600160a01b039092166004830152602090829060249082905afa908115611c62575f916121ec575090565b90506020813d602011612213575b8161220760209383611551565b81010312610203575190565b3d91506121fa565b91823546149182612278575b5081612257575b5015908161223a575090565b6001600160a01b0391506122519061010001611769565b16151590565b905060c0820135906001600160801b0382168092036102035710155f61222e565b9091506001600160a01b0361228f60408501611769565b6001600160a01b03909216911614905f612227565b606082018051909391929015612474575f5b621f9cc25a106123da57604051628a3cff60e61b81526122f69161012086600484013760408461012484015e61016482015260408661018483015e612592565b909490851580612468575b61240e575b93851580612405575b806123f8575b61231e57505050565b919350919350621f9cc25a106123da57604061236292610120825193628a3cff60e61b85526004850137818561012485015e5f61016484015261018483015e612592565b9091821590816123cd575b50612376579091565b805160208201519192506001600160e01b0319821691600482106123ad575b50506001600160e01b031916632e397b8760e01b1491565b6001600160e01b031960049290920360031b82901b161690505f80612395565b608091500151155f61236d565b5a6315d9f1dd60e11b5f525f600452602452621f9cc260445260645ffd5b5060408301511515612315565b5081511561230f565b805160208201519196506001600160e01b031982169160048210612448575b50506001600160e01b031916632e397b8760e01b1494612306565b6001600160e01b031960049290920360031b82901b161690505f8061242d565b50608083015115612301565b60408101516122b6565b91604051916020830193845260018060a01b0316604083015260018060a01b031660608201526060815261165a608082611551565b9115611c80576001600160a01b0316908115908115612501575b81156124ee575b506124dc5750565b637833514560e11b5f5260045260245ffd5b6001600160a01b0316821490505f6124d4565b30831491506124cd565b9291909264ffffffffff61252160e0830161179e565b164210908115612573575b5061256e5761253a9261247e565b805f52600660205264ffffffffff60405f2054166125555750565b5f52600660205260405f2064ffffffffff198154169055565b505050565b6001600160a01b03915061258a9061010001611769565b16155f61252c565b5f806101c4838230621e8480f19160609183156125ac5750565b9091503d61018081116125d3575b808252805f602084013e603f01601f1916810160405290565b506101806125ba565b60405160388101939093526f5af43d82803e903d91602b57fd5bf3ff60248401526014830152733d602d80600a3d3981f3363d3d373d3d3d363d73825260588201526037600c820120607882015260556043909101206001600160a01b03169056fe9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00679795a0195a1b76cdebb7c51d74e058aee92919b8c3389af86ef24535e8a28c",
  "hash": "0x2542a228be0aa14959cb2f5078d4fceba7b19ea06d681da1bad1ea9b1242d4a7",
  "immutables": {
    "IMPL": [
      1432,
      2654,
      3786,
      4325,
      5039,
      8454
    ]
  }
}
