// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Route} from "../../src/IFlorin.sol";

interface IBalance {
    function balanceOf(address who) external view returns (uint256);
}

/// Reads for the tests: many balances in one call, and addresses worked out by Solidity apart from the factory.
contract Probe {
    /// For each token, zero being the native coin, the balance of each address.
    function balances(address[] calldata tokens, address[] calldata who) external view returns (uint256[] memory units) {
        units = new uint256[](tokens.length * who.length);
        uint256 n;
        for (uint256 t; t < tokens.length; ++t) {
            for (uint256 w; w < who.length; ++w) {
                units[n++] = tokens[t] == address(0) ? who[w].balance : IBalance(tokens[t]).balanceOf(who[w]);
            }
        }
    }

    /// The keccak-256 of each address's code; zero or that of nothing where there is none.
    function codeHashes(address[] calldata who) external view returns (bytes32[] memory hashes) {
        hashes = new bytes32[](who.length);
        for (uint256 i; i < who.length; ++i) hashes[i] = who[i].codehash;
    }

    function derive(address factory, address impl, Route calldata route) external pure returns (bytes32, address) {
        bytes32 salt = keccak256(abi.encode(route));
        return (salt, Clones.predictDeterministicAddress(impl, salt, factory));
    }
}
