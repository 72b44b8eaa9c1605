// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A smart account as payers have them: one owner, who signs for it (EIP-1271). It can be told to answer as wallets answer that
/// are careless, broken or hostile.
contract TestWallet {
    enum Way {
        OWNER,
        EVERYTHING,
        NOTHING,
        REVERT,
        ENDLESS,
        HUNGRY,
        SHORT
    }

    bytes4 private constant VALID = 0x1626ba7e;
    uint256 private constant APPETITE = 8_000_000;

    address public immutable OWNER;
    Way public way;

    constructor(address owner) {
        OWNER = owner;
    }

    function setWay(Way way_) external {
        way = way_;
    }

    function execute(address to, bytes calldata data) external {
        require(msg.sender == OWNER, "not the owner");
        (bool ok,) = to.call(data);
        require(ok, "refused");
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (way == Way.EVERYTHING) return VALID;
        if (way == Way.NOTHING) return 0xffffffff;
        if (way == Way.REVERT) revert("no");
        if (way == Way.ENDLESS) while (true) {}
        if (way == Way.SHORT) {
            assembly {
                mstore(0, 0x1626ba7e00000000000000000000000000000000000000000000000000000000)
                return(0, 4)
            }
        }
        if (way == Way.HUNGRY) {
            uint256 left = gasleft();
            while (left - gasleft() < APPETITE) {}
            return VALID;
        }
        if (signature.length != 65) return 0xffffffff;
        (bytes32 r, bytes32 s) = abi.decode(signature[:64], (bytes32, bytes32));
        address signer = ecrecover(hash, uint8(signature[64]), r, s);
        return signer != address(0) && signer == OWNER ? VALID : bytes4(0xffffffff);
    }
}
