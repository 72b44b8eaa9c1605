// Bugs to plant in the contracts, each a promise taken out of one line. The fuzz must find every one of them: what it cannot
// find when it is there, it has not checked.

export interface Mutant {
  name: string
  file: string
  /** Occurs exactly once in the file. */
  find: string
  replace: string
  /** What the fuzz says when it finds the bug, and not some other. */
  found: RegExp
}

const mutant =
  (file: string) =>
  (name: string, find: string, replace: string, found: RegExp): Mutant => {
    return { name, file, find, replace, found }
  }
const factory = mutant('src/PayFactory.sol')
const roles = mutant('src/Roles.sol')
const vault = mutant('src/DepositVault.sol')

const SETTLE_HEAD = `uint256 gross, uint16 feeBps)
        external
        onlyRole(Role.Relayer)
`
const BOUND_HEAD = `        onlyRole(Role.Refunder)
        whenRefundsRun
        nonReentrant
`
const EXECUTE_HEAD = `        external
        whenRefundsRun
        nonReentrant
`

export const mutants: Mutant[] = [
  vault(
    'a vault obeys everybody',
    'if (msg.sender != FACTORY) revert NotFactory(msg.sender);',
    '',
    /a vault obeys the factory only/,
  ),
  factory('an announced refund has no delay', '_onlyFrom(eta);', '', /an announced refund waits 24 h/),
  factory(
    'the fee has no ceiling',
    'if (feeBps > ceiling) revert FeeTooHigh(feeBps, ceiling);',
    '',
    /no fee above the bound|moved .*"kind":"settle/,
  ),
  factory(
    'a bound refund address can be got round',
    'if (route.refundTo != address(0)) revert RefundIsBound(route.refundTo);',
    '',
    /a bound refund address cannot be got round/,
  ),
  factory('the open path has no time', '_onlyFrom(route.openAfter);', '', /the open path waits/),
  factory(
    'anybody settles',
    SETTLE_HEAD,
    SETTLE_HEAD.replace('        onlyRole(Role.Relayer)\n', ''),
    /only a relayer settles/,
  ),
  factory('a refund can be replayed', 'delete refundEta[id];\n        _refund(', '_refund(', /it was executed/),
  factory(
    'a veto is ignored',
    'delete refundEta[id];\n        emit RefundVetoed',
    'emit RefundVetoed',
    /it was vetoed|there is nothing to veto/,
  ),
  factory(
    'an announced refund never lapses',
    'if (block.timestamp > _expiryOf(eta)) revert TooLate(_expiryOf(eta), block.timestamp);',
    '',
    /lapses after 7 days/,
  ),
  factory(
    'settling works on every chain',
    'if (block.chainid != route.chainId) revert WrongChain(route.chainId, block.chainid);',
    '',
    /on the chain of the route only|moved .*"kind":"(settle|rescue)/,
  ),
  factory(
    'a pause stops settlement',
    SETTLE_HEAD,
    `${SETTLE_HEAD}        whenRefundsRun\n`,
    /refused although nothing speaks against it: {"kind":"settle"/,
  ),
  factory(
    'a pause does not stop announced refunds',
    EXECUTE_HEAD,
    EXECUTE_HEAD.replace('        whenRefundsRun\n', ''),
    /refunds are paused: {"kind":"executeRefund"/,
  ),
  factory(
    'anybody refunds',
    BOUND_HEAD,
    BOUND_HEAD.replace('        onlyRole(Role.Refunder)\n', ''),
    /only a refunder refunds/,
  ),
  factory(
    'anybody vetoes',
    'if (msg.sender != route.merchant && !hasRole[Role.Guardian][msg.sender]) revert NotAllowed(msg.sender);',
    '',
    /only merchant and guardian veto/,
  ),
  factory(
    'the path without fee opens early',
    'uint256(route.openAfter) + NO_FEE_DELAY',
    'route.openAfter',
    /waits 90 days more/,
  ),
  factory(
    'a short payment goes to the merchant',
    ' && balance >= route.minAmount;',
    ';',
    /(moved|reported) .*"kind":"(settleOpen(NoFee)?|rescue)"/,
  ),
  factory(
    'who pushes gets the refund',
    'token, route.refundTo, balance',
    'token, msg.sender, balance',
    /moved .*"kind":"settleOpen(NoFee)?"/,
  ),
  factory('the fee is doubled', 'gross * feeBps / 10_000', 'gross * feeBps / 5_000', /: moved /),
  factory(
    'one bad item stops a batch',
    'emit SettleFailed(_vaultAt(saltOf(route)), route.ref, reason);',
    'revert BadAddress(_vaultAt(saltOf(route)));',
    /refused although nothing speaks against it: {"kind":"settleBatch"/,
  ),
  factory(
    'a rescue does not wait for openAfter',
    '_onlyFrom(token == route.token ? route.openAfter : _noFeeFrom(route));',
    '_onlyFrom(token == route.token ? 0 : _noFeeFrom(route));',
    /a rescue waits until openAfter/,
  ),
  factory(
    'a rescue of any token opens with that of the route',
    '_onlyFrom(token == route.token ? route.openAfter : _noFeeFrom(route));',
    '_onlyFrom(route.openAfter);',
    /a rescue of another token waits 90 days more/,
  ),
  factory(
    'two failures may lie close together',
    'if (again) _onlyFrom(failedAt + RESCUE_DELAY);',
    '',
    /two failures lie seven days apart/,
  ),
  factory(
    'one failure is enough',
    'bool again = failedAt != 0 && block.timestamp <= failedAt + RESCUE_EXPIRY;',
    'bool again = block.timestamp <= failedAt + 36500 days;',
    /moved .*"kind":"rescue"/,
  ),
  factory(
    'a failure counts for ever',
    'failedAt != 0 && block.timestamp <= failedAt + RESCUE_EXPIRY',
    'failedAt != 0',
    /moved .*"kind":"rescue"/,
  ),
  factory(
    'a push that goes through leaves the failure standing',
    'if (_failedAt[id] != 0) delete _failedAt[id];',
    '',
    /remembers a failure/,
  ),
  factory(
    'a settlement leaves the failure standing',
    '_forgetFailure(route, salt, token, route.merchant);',
    '',
    /remembers a failure/,
  ),
  factory('a refund leaves the failure standing', '_forgetFailure(route, salt, token, to);', '', /remembers a failure/),
  factory(
    'what is pushed back is short by a unit',
    'push.amount = _balanceOf(vault, token);',
    'push.amount = _balanceOf(vault, token) - 1;',
    /"kind":"rescue"/,
  ),
  factory(
    'a failure is not used up by the rescue that it opens',
    'delete _failedAt[id];\n        } else {',
    '} else {',
    /remembers a failure/,
  ),
  factory(
    'a failure of one side counts against the other',
    'return keccak256(abi.encode(salt, token, to));',
    'return keccak256(abi.encode(salt, token, to == address(0)));',
    /remembers a failure/,
  ),
  factory(
    'a failure of one token counts for another',
    'return keccak256(abi.encode(salt, token, to));',
    'return keccak256(abi.encode(salt, to));',
    /remembers a failure/,
  ),
  factory(
    'a push may get less gas than it needs',
    'if (gasleft() < needed) revert NotEnoughGas(0, gasleft(), needed);',
    '',
    /each push of a rescue gets two million gas/,
  ),
  factory(
    'a pause of the token counts as a failure of the merchant',
    'if (!ok) _revertWith(reason);',
    'if (!ok && again) _revertWith(reason);',
    /a failure counts only where the other side can be paid/,
  ),
  factory(
    'what was only to be tried is done',
    'if (!keep) revert WouldGoThrough();',
    '',
    /(moved|reported) .*"kind":"rescue"/,
  ),
  factory(
    'a blocked collector counts as a failure of the merchant',
    'if (!ok && !push.back && push.feeBps != 0) (ok, reason) = _tryOnce(route, push, 0);',
    '',
    /"kind":"rescue"/,
  ),
  factory(
    'a rescue takes a fee for ever',
    'block.timestamp < _noFeeFrom(route) ? _feeCeiling(route) : 0',
    '_feeCeiling(route)',
    /moved .*"kind":"rescue"/,
  ),
  factory(
    'anybody pushes',
    `external {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        Route calldata route`,
    `external {
        Route calldata route`,
    /a vault obeys the factory only: {"kind":"pushItem"/,
  ),
  factory(
    'anybody settles an item',
    `external {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        _settle(`,
    `external {
        _settle(`,
    /a vault obeys the factory only: {"kind":"settleItem"/,
  ),
  roles(
    'a role change has no delay',
    'if (block.timestamp < eta) revert TooEarly(eta, block.timestamp);',
    '',
    /a role change waits 48 h/,
  ),
  roles(
    'anybody drops a refunder',
    'function dropRefunder(address who) external onlyOwnerOrGuardian {',
    'function dropRefunder(address who) external {',
    /only owner and guardian drop a refunder/,
  ),
]
