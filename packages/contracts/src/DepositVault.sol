// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDepositVault} from "./IFlorin.sol";
import {Transfers} from "./Transfers.sol";

/// @title The code behind every deposit address: see IDepositVault
contract DepositVault is IDepositVault {
    /// Enough for a smart account that logs its income, too little to burn a batch's gas.
    uint256 private constant NATIVE_GAS = 60_000;

    address public immutable FACTORY;

    constructor() {
        FACTORY = msg.sender;
    }

    receive() external payable {}

    function pay(address token, address a, uint256 x, address b, uint256 y) external {
        if (msg.sender != FACTORY) revert NotFactory(msg.sender);
        Transfers.send(token, a, x, NATIVE_GAS);
        if (y != 0) Transfers.send(token, b, y, NATIVE_GAS);
    }
}
