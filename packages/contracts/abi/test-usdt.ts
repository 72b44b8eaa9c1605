// Generated from TestUsdt by script/compile.ts: do not edit.
export const testUsdtAbi = [
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
    "inputs": [],
    "name": "FEE_TAKER",
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
    "inputs": [],
    "name": "feeBps",
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
        "name": "who",
        "type": "address"
      }
    ],
    "name": "isBlackListed",
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
        "internalType": "uint256",
        "name": "bps",
        "type": "uint256"
      }
    ],
    "name": "setFee",
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
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const

/** Creation code, without constructor arguments. */
export const testUsdtBytecode: `0x${string}` = '0x60a0604052336080523480156012575f5ffd5b506080516106b06100325f395f8181610184015261036b01526106b05ff3fe608060405234801561000f575f5ffd5b50600436106100da575f3560e01c8063645b569d1161008857806395d89b411161006357806395d89b4114610203578063a9059cbb1461023f578063d01dd6d214610252578063e47d60601461028a575f5ffd5b8063645b569d146101be57806369fe0e2d146101d157806370a08231146101e4575f5ffd5b8063313ce567116100b8578063313ce5671461015057806340c10f191461016a578063552e94a91461017f575f5ffd5b806306fdde03146100de57806318160ddd1461013057806324a9d85314610147575b5f5ffd5b61011a6040518060400160405280600f81526020017f546573742054657468657220555344000000000000000000000000000000000081525081565b60405161012791906104c9565b60405180910390f35b61013960015481565b604051908152602001610127565b61013960025481565b610158600681565b60405160ff9091168152602001610127565b61017d610178366004610519565b6102bc565b005b6101a67f000000000000000000000000000000000000000000000000000000000000000081565b6040516001600160a01b039091168152602001610127565b61017d6101cc366004610541565b6102ca565b61017d6101df3660046105b6565b600255565b6101396101f23660046105cd565b5f6020819052908152604090205481565b61011a6040518060400160405280600481526020017f555344540000000000000000000000000000000000000000000000000000000081525081565b61017d61024d366004610519565b610312565b61017d6102603660046105ed565b6001600160a01b03919091165f908152600360205260409020805460ff1916911515919091179055565b6102ac6102983660046105cd565b60036020525f908152604090205460ff1681565b6040519015158152602001610127565b6102c68282610395565b5050565b5f5b8281101561030c576103048484838181106102e9576102e9610626565b90506020020160208101906102fe91906105cd565b83610395565b6001016102cc565b50505050565b335f9081526003602052604090205460ff161561032d575f5ffd5b5f6127106002548361033f919061064e565b610349919061066b565b905061035f338461035a848661068a565b61041d565b801561039057610390337f00000000000000000000000000000000000000000000000000000000000000008361041d565b505050565b6001600160a01b0382165f90815260208190526040812080548392906103bc90849061069d565b925050819055508060015f8282546103d4919061069d565b90915550506040518181526001600160a01b038316905f907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9060200160405180910390a35050565b6001600160a01b0383165f908152602081905260408120805483929061044490849061068a565b90915550506001600160a01b0382165f908152602081905260408120805483929061047090849061069d565b92505081905550816001600160a01b0316836001600160a01b03167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef836040516104bc91815260200190565b60405180910390a3505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b80356001600160a01b0381168114610514575f5ffd5b919050565b5f5f6040838503121561052a575f5ffd5b610533836104fe565b946020939093013593505050565b5f5f5f60408486031215610553575f5ffd5b833567ffffffffffffffff811115610569575f5ffd5b8401601f81018613610579575f5ffd5b803567ffffffffffffffff81111561058f575f5ffd5b8660208260051b84010111156105a3575f5ffd5b6020918201979096509401359392505050565b5f602082840312156105c6575f5ffd5b5035919050565b5f602082840312156105dd575f5ffd5b6105e6826104fe565b9392505050565b5f5f604083850312156105fe575f5ffd5b610607836104fe565b91506020830135801515811461061b575f5ffd5b809150509250929050565b634e487b7160e01b5f52603260045260245ffd5b634e487b7160e01b5f52601160045260245ffd5b80820281158282048414176106655761066561063a565b92915050565b5f8261068557634e487b7160e01b5f52601260045260245ffd5b500490565b818103818111156106655761066561063a565b808201808211156106655761066561063a56'
