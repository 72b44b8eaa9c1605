// The audit pack says what is true: nothing undocumented, none of what auditors' tools look for first, and the code is the
// frozen one. The checks themselves are tried on contracts that have each fault.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { check } from '../script/audit/checks.ts'
import { renderFrozen } from '../script/audit/freeze.ts'
import { undocumented } from '../script/audit/natspec.ts'
import { analyse, ourSources } from '../script/audit/tree.ts'
import { packageRoot } from '../script/compile.ts'
import { depositVaultRuntime, feeVaultRuntime, payFactoryRuntime } from '../src/index.ts'

const contract = (body: string, head = 'contract Bad') =>
  `// SPDX-License-Identifier: MIT\npragma solidity 0.8.37;\n${head} {\n${body}\n}`

/** A fault, and what it is called. The last has none. */
const FAULTS: [rule: string | null, text: string][] = [
  ['tx.origin', contract('function f() external view returns (address) { return tx.origin; }')],
  ['delegatecall', contract('function f(address a) external { (bool ok,) = a.delegatecall(""); require(ok); }')],
  ['low-level call', contract('function f(address a) external { (bool ok,) = a.call(""); require(ok); }')],
  ['low-level call', contract('function f(address payable a) external { a.transfer(1); }')],
  ['unchecked call', contract('function f(address a) external { a.call(""); }')],
  ['unchecked call', contract('function f(address payable a) external { a.send(1); }')],
  [
    'unchecked call',
    contract('function f(address a) external { assembly ("memory-safe") { pop(call(gas(), a, 0, 0, 0, 0, 0)) } }'),
  ],
  ['selfdestruct', contract('function f() external { selfdestruct(payable(msg.sender)); }')],
  ['assembly', contract('function f() external { assembly ("memory-safe") { selfdestruct(caller()) } }')],
  ['assembly', contract('function f() external { assembly ("memory-safe") { sstore(0, 1) } }')],
  ['assembly', contract('function f() external pure { assembly { mstore(0, 1) } }')],
  ['chance', contract('function f() external view returns (bytes32) { return blockhash(1); }')],
  ['chance', contract('function f() external view returns (uint256) { return block.prevrandao; }')],
  ['unchecked', contract('function f(uint256 x) external pure returns (uint256) { unchecked { return x + 1; } }')],
  ['loop', contract('function f(uint256[] calldata x) external pure { for (uint256 i; i < x.length; ++i) {} }')],
  ['loop', contract('function f(uint256 x) external pure { while (x > 0) --x; }')],
  ['payable', contract('function f() external payable {}')],
  ['visibility', contract('uint256 internal x;')],
  ['visibility', contract('function f() public virtual {}')],
  ['shadowing', contract('uint256 public x; function f(uint256 x) external pure returns (uint256) { return x; }')],
  [
    'unguarded call',
    contract('function f(I i) external { i.g(); }', 'interface I { function g() external; }\ncontract Bad'),
  ],
  [
    'state after call',
    contract(
      'uint256 public x; function g() private { x = 1; } function f(I i) external { i.g(); g(); }',
      'interface I { function g() external; }\ncontract Bad',
    ),
  ],
  [
    'state after call',
    contract(
      'mapping(address => uint256) public x; function f(I i) external { i.g(); delete x[msg.sender]; }',
      'interface I { function g() external; }\ncontract Bad',
    ),
  ],
  ['vault storage', contract('uint256 public x;', 'contract DepositVault')],
  ['pragma', '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract Bad {}'],
  [null, contract('uint256 public x; function f(uint256 y) external { x = y; }')],
]

const own = ourSources()
const ours = analyse(own)
const faulty = Object.fromEntries(FAULTS.map(([, text], n) => [`src/Bad${n}.sol`, text]))
const faultyOutput = analyse(faulty)

describe('the checks', () => {
  it('find nothing in the contracts that is not accepted with a reason', () => {
    assert.deepEqual(check(ours, own), [])
  })

  it('find every way to move money that its guard is taken off', () => {
    const path = 'src/PayFactory.sol'
    const bare = { ...own, [path]: (own[path] ?? '').replaceAll(/ +nonReentrant\b/g, '') }
    const found = check(analyse(bare), bare).filter(({ rule }) => rule === 'unguarded call')
    assert.deepEqual(
      found.map(({ at }) => at.split(' ')[1]),
      ['settle', 'settleBatch', 'settleOpen', 'settleOpenNoFee', 'rescue', 'refundBound', 'executeRefund'],
    )
  })

  for (const [n, [rule]] of FAULTS.entries()) {
    it(`find what they look for: ${rule ?? 'nothing'} (${n + 1})`, () => {
      const path = `src/Bad${n}.sol`
      const found = check(faultyOutput, { [path]: faulty[path] ?? '' }).map((finding) => finding.rule)
      if (rule === null) assert.deepEqual(found, [])
      else assert.ok(found.includes(rule), found.join(', '))
    })
  }
})

describe('the bytecode', () => {
  it('has no way to run foreign code in its own name or to end itself', () => {
    const forbidden: Record<number, string> = { 242: 'CALLCODE', 244: 'DELEGATECALL', 255: 'SELFDESTRUCT' }
    for (const { code } of [payFactoryRuntime, depositVaultRuntime, feeVaultRuntime]) {
      const bytes = Buffer.from(code.slice(2), 'hex')
      for (let at = 0; at < bytes.length; at++) {
        const op = bytes[at] ?? 0
        assert.equal(forbidden[op], undefined, `at ${at}`)
        if (op >= 0x60 && op <= 0x7f) at += op - 0x5f
      }
    }
  })
})

describe('the documentation', () => {
  it('says something about every external function, event and error', () => {
    assert.deepEqual(undocumented(ours), [])
  })

  it('is missed where it is not there', () => {
    const path = 'src/IFlorin.sol'
    const bare = { ...own, [path]: (own[path] ?? '').replaceAll(/^ *\/\/\/.*\n/gm, '') }
    const missing = undocumented(analyse(bare))
    for (const what of ['function rescue(', 'event PushFailed(', 'error NotEnoughGas(']) {
      assert.ok(
        missing.some((entry) => entry.includes(what)),
        what,
      )
    }
  })

  it('of the invariants names tests that are there', () => {
    const text = readFileSync(join(packageRoot, 'audit/invariants.md'), 'utf8')
    const rows = text.split('\n').filter((line) => /^\| \d+ \|/.test(line))
    assert.ok(rows.length >= 20, `${rows.length} invariants`)
    const files = readdirSync(join(packageRoot, 'test'), { recursive: true, encoding: 'utf8' })
    for (const row of rows) {
      const [, number, , held = ''] = row.split('|').map((cell) => cell.trim())
      const named = [...held.matchAll(/`([\w/.-]+\.test\.ts)` "([^"]+)"/g)]
      assert.ok(named.length > 0, `invariant ${number} names no test`)
      for (const [, file = '', words = ''] of named) {
        assert.ok(files.includes(file), `invariant ${number}: there is no ${file}`)
        const source = readFileSync(join(packageRoot, 'test', file), 'utf8')
        const mutants = readFileSync(join(packageRoot, 'test/fuzz/mutants.ts'), 'utf8')
        assert.ok(
          source.includes(words) || mutants.includes(`'${words}'`),
          `invariant ${number}: "${words}" in ${file}`,
        )
      }
    }
  })
})

it('audit/frozen.json is what the sources and the bytecode are: after a change "npm run freeze -- --write" freezes anew', () => {
  assert.equal(readFileSync(join(packageRoot, 'audit/frozen.json'), 'utf8'), renderFrozen())
})
