// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// All the words about the forwarder contracts: what each call promises, what each error and event means.
// The contracts themselves carry only the reasons behind single lines.

/// @notice Everything a deposit address is bound to. The address is CREATE2(factory, keccak256(abi.encode(route)), clone of
/// IMPL), so changing any field gives another address: nobody, we included, can re-point an address a payer was shown.
/// @param chainId    Chain on which the money settles. Refunds work on every chain that has the factory.
/// @param ref        32 random bytes made by the server for one order. Never chosen by a merchant or a payer: a party
///                   that picks salts freely could search for an address collision.
/// @param token      Token of the quote; zero is the native coin. Other tokens on the address can still be moved.
/// @param merchant   Receiving address of the merchant at the time the order was made.
/// @param collector  Receiver of the fee. Zero means that no fee can be taken.
/// @param feeBps     Highest fee in 1/10,000 of the gross amount. MAX_FEE_BPS caps it again.
/// @param minAmount  Least amount in token units that pays the order: the quote less the tolerance. Read only by the open
///                   path, to tell a payment that settles from one that goes back.
/// @param openAfter  Unix time from which anybody may push the balance to whom it belongs.
/// @param refundTo   Refund address; zero means unknown when the address was made.
struct Route {
    uint256 chainId;
    bytes32 ref;
    address token;
    address merchant;
    address collector;
    uint16 feeBps;
    uint128 minAmount;
    uint40 openAfter;
    address refundTo;
}

/// @notice One settlement of a batch: the arguments of `settle`.
struct Item {
    Route route;
    address token;
    uint256 gross;
    uint16 feeBps;
}

/// @notice Relayer: may settle. Refunder: may refund to a bound address and announce other refunds. Guardian: may veto
/// announced refunds and pause refunds.
enum Role {
    Relayer,
    Refunder,
    Guardian
}

/// @notice A transfer moved nothing. `reason` is what the token answered, at most 160 bytes of it.
error TokenTransferFailed(address token, address to, uint256 amount, bytes reason);
/// @notice The receiver of native coins refused them or needs more than the gas it is given.
error NativeTransferFailed(address to, uint256 amount);
/// @notice The address cannot stand here: zero, the factory, or the vault itself.
error BadAddress(address given);
/// @notice Ownership is handed over, never dropped: without an owner a lost key could not be replaced.
error OwnerIsRequired();

/// @title The code behind every deposit address
/// @notice Stateless: no storage, no delegatecall, no selfdestruct, no upgrade. One vault serves one route.
interface IDepositVault {
    /// @notice Only the factory that made this implementation can move anything out.
    error NotFactory(address caller);

    /// @notice The only caller `pay` obeys.
    function FACTORY() external view returns (address);

    /// @notice Sends `x` to `a` and, where it is not zero, `y` to `b`: both or neither. Native receivers get 60,000 gas.
    function pay(address token, address a, uint256 x, address b, uint256 y) external;
}

/// @title Who may call what
/// @notice Every change of a role is announced 48 h ahead, except taking the refunder role away, which only makes things
/// safer. Taking relayers or guardians away waits too: doing it at once would be a way to stop settlement or vetoes.
interface IRoles {
    /// @notice The caller does not hold the role that this call takes.
    error NotRole(Role role, address caller);
    /// @notice Neither the owner nor an allowed guardian is calling.
    error NotAllowed(address caller);
    /// @notice This change of a role was not announced, or was called off or made already.
    error NotScheduled(Role role, address who, bool on);
    /// @notice This change of a role is announced and may be made from `eta` on.
    error AlreadyScheduled(Role role, address who, bool on, uint256 eta);
    /// @notice The delay has not passed: try again at `notBefore`.
    error TooEarly(uint256 notBefore, uint256 nowIs);
    /// @notice The announcement was not used in time and must be made again.
    error TooLate(uint256 notAfter, uint256 nowIs);

    /// @notice The owner announced that `who` gets (`on`) or loses the role, from `eta` on.
    event RoleScheduled(Role indexed role, address indexed who, bool on, uint256 eta);
    /// @notice An announced change of a role was called off.
    event RoleCanceled(Role indexed role, address indexed who, bool on, address by);
    /// @notice `who` holds the role from now on, or no longer.
    event RoleChanged(Role indexed role, address indexed who, bool on);

    /// @notice 48 h between announcing and applying a role change: longer than REFUND_DELAY, so that a guardian who is to
    /// be removed can still veto what was announced before.
    function ROLE_DELAY() external view returns (uint256);

    /// @notice 7 d after its time an unused role change lapses.
    function ROLE_WINDOW() external view returns (uint256);

    /// @notice Whether `who` holds the role.
    function hasRole(Role role, address who) external view returns (bool);

    /// @notice Time from which the change may be applied; 0 when none is announced.
    function roleEta(Role role, address who, bool on) external view returns (uint256);

    /// @notice Owner: announces that `who` gets (`on`) or loses the role.
    function scheduleRole(Role role, address who, bool on) external;

    /// @notice Owner: makes an announced change, from its time on and for 7 days.
    function applyRole(Role role, address who, bool on) external;

    /// @notice Owner: any. Guardian: grants only, so that a guardian can stop a stolen owner key, but not its own removal.
    function cancelRole(Role role, address who, bool on) external;

    /// @notice Owner or guardian: takes the refunder role away at once.
    function dropRefunder(address who) external;
}

/// @title The forwarder
/// @notice Money on a deposit address can leave it only to (1) the bound merchant, less at most the bound fee to the bound
/// collector, (2) the bound refund address, or (3) where none is bound, the target of a refund that was announced 24 h
/// before and was neither vetoed nor paused. Not upgradeable. Nothing can pause settlement.
interface IPayFactory is IRoles {
    /// @notice A settlement happens on the chain of the route only.
    error WrongChain(uint256 routeChainId, uint256 chainId);
    /// @notice The fee is above what the route binds or above MAX_FEE_BPS; without a collector there is none.
    error FeeTooHigh(uint256 feeBps, uint256 ceilingBps);
    /// @notice There is nothing to move.
    error ZeroAmount();
    /// @notice Refunds wait until the owner ends the pause.
    error RefundsArePaused();
    /// @notice The route binds a refund address, so no other target can be announced.
    error RefundIsBound(address refundTo);
    /// @notice The route binds no refund address: announce the refund.
    error RefundIsNotBound(bytes32 ref);
    /// @notice This refund was not announced, or was struck out or made already.
    error NoProposal(bytes32 id);
    /// @notice This refund is announced and may be made from `eta` on.
    error AlreadyProposed(bytes32 id, uint256 eta);
    /// @notice An item of a batch gets at least `floor` gas.
    error ItemGasTooLow(uint256 itemGas, uint256 floor);
    /// @notice The transaction cannot give item `index`, or a push of a rescue (`index` 0), its gas. The whole call reverts: a
    /// short gas limit must never look like a receiver that cannot be paid.
    error NotEnoughGas(uint256 index, uint256 gasLeft, uint256 needed);
    /// @notice Only the factory itself calls this, for an item of a batch or a push of a rescue.
    error OnlySelf(address caller);
    /// @notice What pushItem says when it was only to be tried and nothing stands against it.
    error WouldGoThrough();

    /// @notice `gross` left the vault: `gross - fee` to the merchant, `fee` to the collector. A token that takes its own fee
    /// on transfers delivers less: what the merchant got is in the token's Transfer log, not here.
    event Settled(
        address indexed vault, bytes32 indexed ref, address indexed merchant, address token, uint256 gross, uint256 fee
    );
    /// @notice An item of a batch changed nothing. `reason` is its revert data, at most 384 bytes of it; empty: out of gas.
    event SettleFailed(address indexed vault, bytes32 indexed ref, bytes reason);
    /// @notice `amount` left the vault for the bound refund address or the target of an announced refund.
    event Refunded(address indexed vault, bytes32 indexed ref, address indexed to, address token, uint256 amount);
    /// @notice A push of `amount` to `to`, merchant or refund address, failed while the other of them could have been paid.
    /// From 7 d after this `rescue` may pay the other. `reason` is the revert data, at most 384 bytes of it.
    event PushFailed(
        address indexed vault, bytes32 indexed ref, address indexed to, address token, uint256 amount, bytes reason
    );
    /// @notice A refund was announced and may be made from `eta` on. One that nobody knows of is an alarm.
    event RefundProposed(
        bytes32 indexed id,
        address indexed vault,
        bytes32 indexed ref,
        address token,
        address to,
        uint256 amount,
        uint40 eta
    );
    /// @notice An announced refund was struck out.
    event RefundVetoed(bytes32 indexed id, address by);
    /// @notice Refunds stand still from now on.
    event RefundsPaused(address by);
    /// @notice Refunds go on.
    event RefundsUnpaused(address by);

    /// @notice The vault code that every deposit address runs.
    function IMPL() external view returns (address);

    /// @notice 1,000: no route can pay a higher fee than 10 %.
    function MAX_FEE_BPS() external view returns (uint16);

    /// @notice 24 h between announcing and executing a refund.
    function REFUND_DELAY() external view returns (uint256);

    /// @notice 7 d after it was announced a refund lapses, so that a forgotten one cannot catch a later deposit.
    function REFUND_EXPIRY() external view returns (uint256);

    /// @notice 90 d after `openAfter` the fee can no longer hold a settlement up.
    function NO_FEE_DELAY() external view returns (uint256);

    /// @notice 7 d at least lie between the two failures after which `rescue` pays the other side.
    function RESCUE_DELAY() external view returns (uint256);

    /// @notice 30 d after it was recorded a failure no longer counts, so that a forgotten one cannot meet a later deposit.
    function RESCUE_EXPIRY() external view returns (uint256);

    /// @notice 2,000,000: the gas that each push of `rescue` gets, no more and no less. Twenty times what a transfer needs
    /// today, so that a receiver fails only for reasons of its own.
    function PUSH_GAS() external view returns (uint256);

    /// @notice Smallest gas a batch may give one item.
    function MIN_ITEM_GAS() external view returns (uint256);

    /// @notice The CREATE2 salt of a route: keccak256(abi.encode(route)).
    function saltOf(Route calldata route) external pure returns (bytes32);

    /// @notice The deposit address of a route, whether it has code yet or not.
    function vaultOf(Route calldata route) external view returns (address);

    /// @notice Relayer: pays `gross` units of `token` to the merchant, less `feeBps`. Any part of the balance, any number of
    /// times, any token: it can only ever reach the merchant and the collector. Makes the vault when it has no code yet.
    /// @dev Reverts with NotRole, WrongChain, FeeTooHigh, ZeroAmount, BadAddress, or the transfer's error.
    function settle(Route calldata route, address token, uint256 gross, uint16 feeBps) external;

    /// @notice Relayer: settles each item by itself. An item that fails changes nothing, tells why in SettleFailed and stops
    /// no other.
    /// @param itemGas Gas each item may use, at least MIN_ITEM_GAS. An argument, because forks re-price state.
    /// @return done How many items settled.
    function settleBatch(Item[] calldata items, uint256 itemGas) external returns (uint256 done);

    /// @dev One item of a batch; the factory calls itself.
    function settleItem(Item calldata item) external;

    /// @notice Anybody, from `openAfter` on: pushes the whole balance of the route's token. A full payment on the right chain
    /// goes to the merchant less the bound fee. Anything else goes to the refund address, or where none is bound to
    /// the merchant as well (on the right chain only). No pause stops it, not even its refunds.
    function settleOpen(Route calldata route) external;

    /// @notice Anybody, from 90 d after `openAfter` on: the same without a fee, for any token. A blocked collector can then
    /// no longer strand a merchant's money, and a token nobody asked for goes to the refund address, or else to the merchant.
    function settleOpenNoFee(Route calldata route, address token) external;

    /// @notice Anybody, from `openAfter` on for the route's token, from 90 d later for any: the way out when one side cannot
    /// be paid. Pushes the whole balance to whom `settleOpen` would, and where only the collector cannot be paid,
    /// without the fee. Where that fails although the other side (the refund address for a full payment, the
    /// merchant for a short one) could be paid, it records the failure; when it failed again 7 to 30 days later, it
    /// pays the other side. A push that goes through, by any call, ends the record. No pause stops it.
    /// @dev Reverts with the push's own error where the other side cannot be paid either or none is bound, with TooEarly
    /// within 7 days of a recorded failure, with NotEnoughGas below about 2.1 million gas left for each push it tries.
    function rescue(Route calldata route, address token) external;

    /// @dev One push of `rescue`; the factory calls itself. Reverts with WouldGoThrough where it is not to be kept.
    function pushItem(Item calldata item, bool back, bool keep) external;

    /// @notice When a push of `token` from the route's vault to `to` was recorded as failed; 0 when none is.
    function failedPushAt(Route calldata route, address token, address to) external view returns (uint40);

    /// @notice Refunder: returns `amount` to the refund address the route binds. No delay: nobody can choose another target.
    function refundBound(Route calldata route, address token, uint256 amount) external;

    /// @notice Refunder: announces a refund of a route that binds no refund address.
    function proposeRefund(Route calldata route, address token, address to, uint256 amount)
        external
        returns (bytes32 id);

    /// @notice The route's merchant or a guardian: strikes an announced refund out. Works while refunds are paused.
    function vetoRefund(Route calldata route, address token, address to, uint256 amount) external;

    /// @notice Anybody: makes an announced refund, once, from 24 h after the announcement until 7 d after it.
    function executeRefund(Route calldata route, address token, address to, uint256 amount) external;

    /// @notice The name of an announced refund: keccak256(abi.encode(saltOf(route), token, to, amount)).
    function proposalId(Route calldata route, address token, address to, uint256 amount)
        external
        pure
        returns (bytes32);

    /// @notice Time from which the refund may be executed; 0 when it is not announced, was vetoed or was executed.
    function refundEta(bytes32 id) external view returns (uint40);

    /// @notice Whether refunds stand still.
    function refundsPaused() external view returns (bool);

    /// @notice Guardian or owner: stops refundBound, proposeRefund and executeRefund. Settlement goes on.
    function pauseRefunds() external;

    /// @notice Owner.
    function unpauseRefunds() external;
}

/// @title Where the fees gather
interface IFeeVault {
    /// @notice `amount` of the gathered fees went to `to`.
    event Withdrawn(address indexed token, address indexed to, uint256 amount);

    /// @notice Owner: sends `amount` units of `token` (zero: the native coin) to `to`.
    function withdraw(address token, address to, uint256 amount) external;
}
