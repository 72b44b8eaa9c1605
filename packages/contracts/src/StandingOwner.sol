// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {OwnerIsRequired} from "./IFlorin.sol";

/// @title An owner that is handed over in two steps and never dropped
abstract contract StandingOwner is Ownable2Step {
    constructor(address owner_) Ownable(owner_) {}

    function renounceOwnership() public pure override {
        revert OwnerIsRequired();
    }
}
