// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadAddress, IFeeVault} from "./IFlorin.sol";
import {StandingOwner} from "./StandingOwner.sol";
import {Transfers} from "./Transfers.sol";

/// @title Where the fees gather: see IFeeVault
contract FeeVault is IFeeVault, StandingOwner {
    constructor(address owner_) StandingOwner(owner_) {}

    receive() external payable {}

    function withdraw(address token, address to, uint256 amount) external onlyOwner {
        if (to == address(0) || to == address(this)) revert BadAddress(to);
        emit Withdrawn(token, to, amount);
        Transfers.send(token, to, amount, gasleft());
    }
}
