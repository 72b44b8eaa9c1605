// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {DepositVault} from "./DepositVault.sol";
import {BadAddress, IDepositVault, IPayFactory, Item, Role, Route} from "./IFlorin.sol";
import {Roles} from "./Roles.sol";

/// @title The forwarder: see IPayFactory
contract PayFactory is IPayFactory, Roles, ReentrancyGuardTransient {
    uint16 public constant MAX_FEE_BPS = 1_000;
    uint256 public constant REFUND_DELAY = 24 hours;
    uint256 public constant REFUND_EXPIRY = 7 days;
    uint256 public constant NO_FEE_DELAY = 90 days;
    uint256 public constant MIN_ITEM_GAS = 300_000;

    /// What the batch itself needs after its dearest step, the report of a failed item.
    uint256 private constant BATCH_RESERVE = 40_000;
    uint256 private constant MAX_REASON = 384;
    uint256 private constant ITEM_BYTES = 12 * 32;

    address public immutable IMPL;

    bool public refundsPaused;
    mapping(bytes32 id => uint40 eta) public refundEta;

    constructor(address owner_, address[] memory relayers, address[] memory refunders, address[] memory guardians)
        Roles(owner_, relayers, refunders, guardians)
    {
        IMPL = address(new DepositVault());
    }

    modifier whenRefundsRun() {
        if (refundsPaused) revert RefundsArePaused();
        _;
    }

    function saltOf(Route calldata route) public pure returns (bytes32) {
        return keccak256(abi.encode(route));
    }

    function vaultOf(Route calldata route) external view returns (address) {
        return _vaultAt(saltOf(route));
    }

    // Settlement

    function settle(Route calldata route, address token, uint256 gross, uint16 feeBps)
        external
        onlyRole(Role.Relayer)
        nonReentrant
    {
        _settle(route, saltOf(route), token, gross, feeBps);
    }

    function settleBatch(Item[] calldata items, uint256 itemGas)
        external
        onlyRole(Role.Relayer)
        nonReentrant
        returns (uint256 done)
    {
        if (itemGas < MIN_ITEM_GAS) revert ItemGasTooLow(itemGas, MIN_ITEM_GAS);
        // A call can pass on at most 63/64 of what is left, so passing on itemGas needs 64/63 of it.
        uint256 needed = itemGas + itemGas / 63 + BATCH_RESERVE;
        for (uint256 i; i < items.length; ++i) {
            if (gasleft() < needed) revert NotEnoughGas(i, gasleft(), needed);
            (bool ok, bytes memory reason) = _isolated(items[i], itemGas);
            if (ok) {
                ++done;
            } else {
                Route calldata route = items[i].route;
                emit SettleFailed(_vaultAt(saltOf(route)), route.ref, reason);
            }
        }
    }

    function settleItem(Item calldata item) external {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        _settle(item.route, saltOf(item.route), item.token, item.gross, item.feeBps);
    }

    function settleOpen(Route calldata route) external nonReentrant {
        _onlyFrom(route.openAfter);
        _push(route, route.token, _feeCeiling(route));
    }

    function settleOpenNoFee(Route calldata route, address token) external nonReentrant {
        _onlyFrom(uint256(route.openAfter) + NO_FEE_DELAY);
        _push(route, token, 0);
    }

    // Refunds

    function refundBound(Route calldata route, address token, uint256 amount)
        external
        onlyRole(Role.Refunder)
        whenRefundsRun
        nonReentrant
    {
        if (route.refundTo == address(0)) revert RefundIsNotBound(route.ref);
        _refund(route, saltOf(route), token, route.refundTo, amount);
    }

    function proposeRefund(Route calldata route, address token, address to, uint256 amount)
        external
        onlyRole(Role.Refunder)
        whenRefundsRun
        returns (bytes32 id)
    {
        if (route.refundTo != address(0)) revert RefundIsBound(route.refundTo);
        address vault = _vaultAt(saltOf(route));
        _checkRefund(vault, to, amount);
        id = proposalId(route, token, to, amount);
        uint256 eta = refundEta[id];
        if (eta != 0 && block.timestamp <= _expiryOf(eta)) revert AlreadyProposed(id, eta);
        eta = block.timestamp + REFUND_DELAY;
        refundEta[id] = uint40(eta);
        emit RefundProposed(id, vault, route.ref, token, to, amount, uint40(eta));
    }

    function vetoRefund(Route calldata route, address token, address to, uint256 amount) external {
        if (msg.sender != route.merchant && !hasRole[Role.Guardian][msg.sender]) revert NotAllowed(msg.sender);
        bytes32 id = proposalId(route, token, to, amount);
        if (refundEta[id] == 0) revert NoProposal(id);
        delete refundEta[id];
        emit RefundVetoed(id, msg.sender);
    }

    function executeRefund(Route calldata route, address token, address to, uint256 amount)
        external
        whenRefundsRun
        nonReentrant
    {
        bytes32 id = proposalId(route, token, to, amount);
        uint256 eta = refundEta[id];
        if (eta == 0) revert NoProposal(id);
        _onlyFrom(eta);
        if (block.timestamp > _expiryOf(eta)) revert TooLate(_expiryOf(eta), block.timestamp);
        delete refundEta[id];
        _refund(route, saltOf(route), token, to, amount);
    }

    function pauseRefunds() external onlyOwnerOrGuardian {
        refundsPaused = true;
        emit RefundsPaused(msg.sender);
    }

    function unpauseRefunds() external onlyOwner {
        refundsPaused = false;
        emit RefundsUnpaused(msg.sender);
    }

    function proposalId(Route calldata route, address token, address to, uint256 amount)
        public
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(saltOf(route), token, to, amount));
    }

    // Inside. A vault is told to pay in two places only: _settle and _refund.

    function _settle(Route calldata route, bytes32 salt, address token, uint256 gross, uint256 feeBps) private {
        if (block.chainid != route.chainId) revert WrongChain(route.chainId, block.chainid);
        uint256 ceiling = _feeCeiling(route);
        if (feeBps > ceiling) revert FeeTooHigh(feeBps, ceiling);
        if (gross == 0) revert ZeroAmount();
        if (route.merchant == address(0)) revert BadAddress(route.merchant);
        address vault = _openVault(salt);
        uint256 fee = gross * feeBps / 10_000;
        emit Settled(vault, route.ref, route.merchant, token, gross, fee);
        IDepositVault(vault).pay(token, route.merchant, gross - fee, route.collector, fee);
    }

    function _refund(Route calldata route, bytes32 salt, address token, address to, uint256 amount) private {
        address vault = _openVault(salt);
        _checkRefund(vault, to, amount);
        emit Refunded(vault, route.ref, to, token, amount);
        IDepositVault(vault).pay(token, to, amount, address(0), 0);
    }

    /// The whole balance to whom it belongs: to the merchant when it covers the quote, else back where that is known.
    function _push(Route calldata route, address token, uint256 feeBps) private {
        bytes32 salt = saltOf(route);
        address vault = _vaultAt(salt);
        uint256 balance = token == address(0) ? vault.balance : IERC20(token).balanceOf(vault);
        bool paid = block.chainid == route.chainId && token == route.token && balance >= route.minAmount;
        if (!paid && route.refundTo != address(0)) _refund(route, salt, token, route.refundTo, balance);
        else _settle(route, salt, token, balance, feeBps);
    }

    /// Calls settleItem with a bounded share of the gas and copies a bounded part of its answer.
    function _isolated(Item calldata item, uint256 itemGas) private returns (bool ok, bytes memory reason) {
        bytes4 selector = this.settleItem.selector;
        assembly ("memory-safe") {
            let p := mload(0x40)
            mstore(p, selector)
            calldatacopy(add(p, 0x04), item, ITEM_BYTES)
            ok := call(itemGas, address(), 0, p, add(ITEM_BYTES, 0x04), 0, 0)
            reason := 0x60 // the empty value: nothing is copied for an item that settled
            if iszero(ok) {
                let size := returndatasize()
                if gt(size, MAX_REASON) { size := MAX_REASON }
                mstore(p, size)
                returndatacopy(add(p, 0x20), 0, size)
                mstore(0x40, add(p, and(add(size, 0x3f), not(0x1f))))
                reason := p
            }
        }
    }

    function _openVault(bytes32 salt) private returns (address vault) {
        vault = _vaultAt(salt);
        if (vault.code.length == 0) Clones.cloneDeterministic(IMPL, salt);
    }

    function _vaultAt(bytes32 salt) private view returns (address) {
        return Clones.predictDeterministicAddress(IMPL, salt);
    }

    function _checkRefund(address vault, address to, uint256 amount) private view {
        if (amount == 0) revert ZeroAmount();
        if (to == address(0) || to == address(this) || to == vault) revert BadAddress(to);
    }

    function _feeCeiling(Route calldata route) private pure returns (uint256) {
        if (route.collector == address(0)) return 0;
        return route.feeBps < MAX_FEE_BPS ? route.feeBps : MAX_FEE_BPS;
    }

    function _expiryOf(uint256 eta) private pure returns (uint256) {
        return eta - REFUND_DELAY + REFUND_EXPIRY;
    }

    function _onlyFrom(uint256 notBefore) private view {
        if (block.timestamp < notBefore) revert TooEarly(notBefore, block.timestamp);
    }
}
