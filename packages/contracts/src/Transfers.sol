// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {NativeTransferFailed, TokenTransferFailed} from "./IFlorin.sol";

/// @title Sending tokens and native coins
/// @notice Accepts tokens that return nothing, refuses those that return false, and never copies more than a bounded part
/// of what the other side answers.
library Transfers {
    uint256 private constant MAX_REASON = 160;

    function send(address token, address to, uint256 amount, uint256 nativeGas) internal {
        if (token == address(0)) sendNative(to, amount, nativeGas);
        else sendToken(token, to, amount);
    }

    function sendNative(address to, uint256 amount, uint256 gasCap) internal {
        bool ok;
        // No answer is copied: a receiver that returns a megabyte must pay for it alone.
        assembly ("memory-safe") {
            ok := call(gasCap, to, amount, 0, 0, 0, 0)
        }
        if (!ok) revert NativeTransferFailed(to, amount);
    }

    function sendToken(address token, address to, uint256 amount) internal {
        bool ok;
        assembly ("memory-safe") {
            let p := mload(0x40)
            mstore(p, 0xa9059cbb00000000000000000000000000000000000000000000000000000000) // transfer(address,uint256)
            mstore(add(p, 0x04), and(to, 0xffffffffffffffffffffffffffffffffffffffff))
            mstore(add(p, 0x24), amount)
            mstore(0x00, 0)
            ok := call(gas(), token, 0, p, 0x44, 0x00, 0x20)
            // Done means: the call went through and the token said true, or said nothing and is a contract at all.
            switch returndatasize()
            case 0 { ok := and(ok, gt(extcodesize(token), 0)) }
            default { ok := and(ok, and(gt(returndatasize(), 0x1f), eq(mload(0x00), 1))) }
        }
        if (!ok) revert TokenTransferFailed(token, to, amount, _reason());
    }

    function _reason() private pure returns (bytes memory reason) {
        assembly ("memory-safe") {
            let size := returndatasize()
            if gt(size, MAX_REASON) { size := MAX_REASON }
            reason := mload(0x40)
            mstore(reason, size)
            returndatacopy(add(reason, 0x20), 0, size)
            mstore(0x40, add(reason, and(add(size, 0x3f), not(0x1f))))
        }
    }
}
