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
    /it was vetoed/,
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
    /on the chain of the route only/,
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
    /moved .*"kind":"settleOpen(NoFee)?"/,
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
