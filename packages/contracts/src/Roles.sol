// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadAddress, IRoles, Role} from "./IFlorin.sol";
import {StandingOwner} from "./StandingOwner.sol";

/// @title Who may call what: see IRoles
abstract contract Roles is IRoles, StandingOwner {
    uint256 public constant ROLE_DELAY = 48 hours;
    uint256 public constant ROLE_WINDOW = 7 days;

    mapping(Role role => mapping(address who => bool on)) public hasRole;
    mapping(Role role => mapping(address who => mapping(bool on => uint256 eta))) public roleEta;

    constructor(address owner_, address[] memory relayers, address[] memory refunders, address[] memory guardians)
        StandingOwner(owner_)
    {
        _grantAll(Role.Relayer, relayers);
        _grantAll(Role.Refunder, refunders);
        _grantAll(Role.Guardian, guardians);
    }

    modifier onlyRole(Role role) {
        if (!hasRole[role][msg.sender]) revert NotRole(role, msg.sender);
        _;
    }

    modifier onlyOwnerOrGuardian() {
        if (msg.sender != owner() && !hasRole[Role.Guardian][msg.sender]) revert NotAllowed(msg.sender);
        _;
    }

    function scheduleRole(Role role, address who, bool on) external onlyOwner {
        if (who == address(0)) revert BadAddress(who);
        uint256 eta = roleEta[role][who][on];
        if (eta != 0 && block.timestamp <= eta + ROLE_WINDOW) revert AlreadyScheduled(role, who, on, eta);
        eta = block.timestamp + ROLE_DELAY;
        roleEta[role][who][on] = eta;
        emit RoleScheduled(role, who, on, eta);
    }

    function applyRole(Role role, address who, bool on) external onlyOwner {
        uint256 eta = _takeScheduled(role, who, on);
        if (block.timestamp < eta) revert TooEarly(eta, block.timestamp);
        if (block.timestamp > eta + ROLE_WINDOW) revert TooLate(eta + ROLE_WINDOW, block.timestamp);
        _setRole(role, who, on);
    }

    function cancelRole(Role role, address who, bool on) external onlyOwnerOrGuardian {
        // A guardian must not be able to keep itself, or another guardian, in place.
        if (!on && msg.sender != owner()) revert NotAllowed(msg.sender);
        _takeScheduled(role, who, on);
        emit RoleCanceled(role, who, on, msg.sender);
    }

    function dropRefunder(address who) external onlyOwnerOrGuardian {
        _setRole(Role.Refunder, who, false);
    }

    function _takeScheduled(Role role, address who, bool on) private returns (uint256 eta) {
        eta = roleEta[role][who][on];
        if (eta == 0) revert NotScheduled(role, who, on);
        delete roleEta[role][who][on];
    }

    function _grantAll(Role role, address[] memory who) private {
        for (uint256 i; i < who.length; ++i) {
            if (who[i] == address(0)) revert BadAddress(who[i]);
            _setRole(role, who[i], true);
        }
    }

    function _setRole(Role role, address who, bool on) private {
        hasRole[role][who] = on;
        emit RoleChanged(role, who, on);
    }
}
