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
    /// What is tried at a vault: the whole balance of a token to the merchant, or `back` to the refund address. What is not
    /// to be kept is undone, and only whether it would go through is known.
    struct Push {
        address token;
        uint256 amount;
        uint256 feeBps;
        bool back;
        bool keep;
    }

    uint16 public constant MAX_FEE_BPS = 1_000;
    uint256 public constant REFUND_DELAY = 24 hours;
    uint256 public constant REFUND_EXPIRY = 7 days;
    uint256 public constant NO_FEE_DELAY = 90 days;
    uint256 public constant RESCUE_DELAY = 7 days;
    uint256 public constant RESCUE_EXPIRY = 30 days;
    uint256 public constant MIN_ITEM_GAS = 300_000;
    uint256 public constant PUSH_GAS = 2_000_000;

    /// What the batch itself needs after its dearest step, the report of a failed item.
    uint256 private constant BATCH_RESERVE = 40_000;
    uint256 private constant MAX_REASON = 384;
    uint256 private constant ROUTE_BYTES = 9 * 32;
    uint256 private constant ITEM_BYTES = 12 * 32;

    address public immutable IMPL;

    bool public refundsPaused;
    mapping(bytes32 id => uint40 eta) public refundEta;
    mapping(bytes32 id => uint40 at) private _failedAt;

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
        _settleOpen(route, route.token, _feeCeiling(route));
    }

    function settleOpenNoFee(Route calldata route, address token) external nonReentrant {
        _onlyFrom(_noFeeFrom(route));
        _settleOpen(route, token, 0);
    }

    function rescue(Route calldata route, address token) external nonReentrant {
        _onlyFrom(token == route.token ? route.openAfter : _noFeeFrom(route));
        bytes32 salt = saltOf(route);
        // Made first, so that the gas of a push is for the push alone.
        address vault = _openVault(salt);
        Push memory push;
        push.token = token;
        push.amount = _balanceOf(vault, token);
        push.feeBps = block.timestamp < _noFeeFrom(route) ? _feeCeiling(route) : 0;
        push.back = _goesBack(route, token, push.amount);
        push.keep = true;
        (bool ok, bytes memory reason) = _tryPush(route, push);
        if (ok) return;

        address to = push.back ? route.refundTo : route.merchant;
        bytes32 id = _failureId(salt, token, to);
        uint256 failedAt = _failedAt[id];
        bool again = failedAt != 0 && block.timestamp <= failedAt + RESCUE_EXPIRY;
        if (again) _onlyFrom(failedAt + RESCUE_DELAY);
        // A failure counts only where the other side could be paid in the same breath: a paused token or a frozen vault
        // says nothing about who was to get the money.
        push.back = !push.back;
        push.keep = again;
        (ok,) = _tryPush(route, push);
        if (!ok) _revertWith(reason);
        if (again) {
            delete _failedAt[id];
        } else {
            _failedAt[id] = uint40(block.timestamp);
            emit PushFailed(vault, route.ref, to, token, push.amount, reason);
        }
    }

    function pushItem(Item calldata item, bool back, bool keep) external {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        Route calldata route = item.route;
        if (back) _refund(route, saltOf(route), item.token, route.refundTo, item.gross);
        else _settle(route, saltOf(route), item.token, item.gross, item.feeBps);
        if (!keep) revert WouldGoThrough();
    }

    function failedPushAt(Route calldata route, address token, address to) external view returns (uint40) {
        return _failedAt[_failureId(saltOf(route), token, to)];
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
        _forgetFailure(route, salt, token, route.merchant);
        emit Settled(vault, route.ref, route.merchant, token, gross, fee);
        IDepositVault(vault).pay(token, route.merchant, gross - fee, route.collector, fee);
    }

    function _refund(Route calldata route, bytes32 salt, address token, address to, uint256 amount) private {
        address vault = _openVault(salt);
        _checkRefund(vault, to, amount);
        _forgetFailure(route, salt, token, to);
        emit Refunded(vault, route.ref, to, token, amount);
        IDepositVault(vault).pay(token, to, amount, address(0), 0);
    }

    function _settleOpen(Route calldata route, address token, uint256 feeBps) private {
        bytes32 salt = saltOf(route);
        uint256 balance = _balanceOf(_vaultAt(salt), token);
        if (_goesBack(route, token, balance)) _refund(route, salt, token, route.refundTo, balance);
        else _settle(route, salt, token, balance, feeBps);
    }

    /// Whether a balance belongs to the bound refund address: to the merchant belongs what covers the bound minimum, and
    /// what nobody else is bound for.
    function _goesBack(Route calldata route, address token, uint256 balance) private view returns (bool) {
        bool paid = block.chainid == route.chainId && token == route.token && balance >= route.minAmount;
        return !paid && route.refundTo != address(0);
    }

    /// A push with gas of its own. One to the merchant that fails is tried without the fee: a collector that cannot be paid
    /// says nothing about the merchant.
    function _tryPush(Route calldata route, Push memory push) private returns (bool ok, bytes memory reason) {
        (ok, reason) = _tryOnce(route, push, push.back ? 0 : push.feeBps);
        if (!ok && !push.back && push.feeBps != 0) (ok, reason) = _tryOnce(route, push, 0);
    }

    function _tryOnce(Route calldata route, Push memory push, uint256 feeBps)
        private
        returns (bool ok, bytes memory reason)
    {
        // Less would be passed on in silence, and a healthy receiver would look like one that cannot be paid.
        uint256 needed = PUSH_GAS + PUSH_GAS / 63 + BATCH_RESERVE;
        if (gasleft() < needed) revert NotEnoughGas(0, gasleft(), needed);
        bytes4 selector = this.pushItem.selector;
        uint256 p;
        assembly ("memory-safe") {
            p := mload(0x40)
            mstore(p, selector)
            let q := add(p, 0x04)
            calldatacopy(q, route, ROUTE_BYTES)
            q := add(q, ROUTE_BYTES)
            mcopy(q, push, 0x40) // token, amount
            mstore(add(q, 0x40), feeBps)
            mcopy(add(q, 0x60), add(push, 0x60), 0x40) // back, keep
        }
        (ok, reason) = _callSelf(p, ITEM_BYTES + 0x44, PUSH_GAS);
        if (!ok && !push.keep) ok = bytes4(reason) == WouldGoThrough.selector;
    }

    /// Calls settleItem with a bounded share of the gas.
    function _isolated(Item calldata item, uint256 itemGas) private returns (bool ok, bytes memory reason) {
        bytes4 selector = this.settleItem.selector;
        uint256 p;
        assembly ("memory-safe") {
            p := mload(0x40)
            mstore(p, selector)
            calldatacopy(add(p, 0x04), item, ITEM_BYTES)
        }
        return _callSelf(p, ITEM_BYTES + 0x04, itemGas);
    }

    /// Calls the factory with the `size` bytes at `p`, the end of the used memory, and copies a bounded part of a refusal.
    function _callSelf(uint256 p, uint256 size, uint256 gas_) private returns (bool ok, bytes memory reason) {
        assembly ("memory-safe") {
            ok := call(gas_, address(), 0, p, size, 0, 0)
            reason := 0x60 // the empty value: nothing is copied for a call that went through
            if iszero(ok) {
                size := returndatasize()
                if gt(size, MAX_REASON) { size := MAX_REASON }
                mstore(p, size)
                returndatacopy(add(p, 0x20), 0, size)
                mstore(0x40, add(p, and(add(size, 0x3f), not(0x1f))))
                reason := p
            }
        }
    }

    function _revertWith(bytes memory reason) private pure {
        assembly ("memory-safe") {
            revert(add(reason, 0x20), mload(reason))
        }
    }

    /// A push that goes through ends the record of one that failed. Before openAfter and where no refund address is bound
    /// there is none, which spares the ordinary settlement the look.
    function _forgetFailure(Route calldata route, bytes32 salt, address token, address to) private {
        if (block.timestamp < route.openAfter || route.refundTo == address(0)) return;
        bytes32 id = _failureId(salt, token, to);
        if (_failedAt[id] != 0) delete _failedAt[id];
    }

    function _failureId(bytes32 salt, address token, address to) private pure returns (bytes32) {
        return keccak256(abi.encode(salt, token, to));
    }

    function _balanceOf(address vault, address token) private view returns (uint256) {
        return token == address(0) ? vault.balance : IERC20(token).balanceOf(vault);
    }

    function _noFeeFrom(Route calldata route) private pure returns (uint256) {
        return uint256(route.openAfter) + NO_FEE_DELAY;
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
