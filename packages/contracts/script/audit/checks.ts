// What an auditor's tools look for first, as rules over the compiler's own syntax tree. A finding is either mended or stands in
// `accepted` with its reason.
import type { AstNode, SolcOutput } from '../solidity.ts'
import { childOf, lineOf, listOf, walk } from './tree.ts'

export interface Finding {
  rule: string
  /** `File.sol:line function` */
  at: string
  what: string
}

/** Findings that are meant, by rule and function, with the reason. */
const accepted: Record<string, Record<string, string>> = {
  'unguarded call': {
    settleItem: 'obeys the factory alone, which calls it while its own guard is held',
    pushItem: 'obeys the factory alone, which calls it while its own guard is held',
    pay: 'obeys the factory alone, and the vault has no state',
    withdraw: 'obeys the owner alone, and the call is the last thing it does',
  },
  'state after call': {
    rescue: 'what is remembered is what the call answered; every way back in is guarded',
    settleItem: 'makes a vault before it pays; the factory holds its guard',
    pushItem: 'makes a vault before it pays; the factory holds its guard',
  },
  loop: {
    settleBatch: 'over what the caller gave; each turn is paid for before it begins',
    _grantAll: 'in the constructor, over what the deployer gave',
  },
  'low-level call': {
    _callSelf: 'of the factory itself; what it answered is looked at',
    sendNative: 'what it answered is looked at',
    sendToken: 'what it answered is looked at',
  },
}

type Report = (rule: string, node: AstNode, within: string, what: string) => void

/** Runs every rule over the files of `sources`. */
export function check(output: SolcOutput, sources: Record<string, string>): Finding[] {
  const findings: Finding[] = []
  const trees = Object.entries(output.sources).filter(([path]) => path in sources)
  const known = declared(output)
  for (const [path, { ast }] of trees) {
    const report: Report = (rule, node, within, what) => {
      if (accepted[rule]?.[within]) return
      const text = sources[path] ?? ''
      findings.push({ rule, at: `${path}:${lineOf(node, text)} ${within}`, what })
    }
    if (!/pragma solidity \d+\.\d+\.\d+;/.test(sources[path] ?? ''))
      report('pragma', ast, '', 'names no single compiler')
    walk(ast, (node, above) => {
      const within = above.findLast(({ nodeType }) => nodeType === 'FunctionDefinition')?.name ?? ''
      expressions(node, above, within, report)
      declarations(node, above, report, output)
      if (node.nodeType === 'FunctionDefinition') order(node, known, report)
    })
  }
  for (const [path, contracts] of Object.entries(output.contracts)) {
    for (const [name, contract] of Object.entries(contracts)) {
      const { storage } = contract.storageLayout
      if (path in sources && /Vault$/.test(name) && name.startsWith('Deposit') && storage.length > 0) {
        findings.push({
          rule: 'vault storage',
          at: `${path} ${name}`,
          what: storage.map(({ label }) => label).join(', '),
        })
      }
    }
  }
  return findings
}

const typeIdOf = (node: AstNode | null): string =>
  String((node?.typeDescriptions as { typeIdentifier?: string } | undefined)?.typeIdentifier)

const FORBIDDEN_YUL = ['delegatecall', 'callcode', 'selfdestruct', 'sstore', 'origin', 'blockhash', 'prevrandao']
const YUL_CALLS = ['call', 'staticcall']

function expressions(node: AstNode, above: readonly AstNode[], within: string, report: Report): void {
  const member = node.nodeType === 'MemberAccess' ? String(node.memberName) : ''
  const on = childOf(node, 'expression')
  if (member === 'origin' && on?.name === 'tx') report('tx.origin', node, within, 'who pays gas is nobody to trust')
  if (member === 'delegatecall' || member === 'callcode') report('delegatecall', node, within, 'runs foreign code')
  if (/^t_function_(barecall|barestaticcall|send|transfer)/.test(typeIdOf(node)) && member) {
    report('low-level call', node, within, `.${member}`)
  }
  if (node.nodeType === 'Identifier' && ['selfdestruct', 'suicide', 'blockhash'].includes(node.name ?? '')) {
    report(node.name === 'blockhash' ? 'chance' : 'selfdestruct', node, within, node.name ?? '')
  }
  if (member === 'prevrandao' || member === 'difficulty') report('chance', node, within, member)
  if (node.nodeType === 'UncheckedBlock') report('unchecked', node, within, 'arithmetic that wraps')
  if (/^(For|While|DoWhile)/.test(node.nodeType ?? ''))
    report('loop', node, within, 'how often it turns is not bounded')
  if (node.nodeType === 'InlineAssembly' && !(node.flags as string[] | undefined)?.includes('memory-safe')) {
    report('assembly', node, within, 'is not said to leave memory in order')
  }
  if (node.nodeType === 'YulFunctionCall') {
    const name = childOf(node, 'functionName')?.name ?? ''
    if (FORBIDDEN_YUL.includes(name)) report('assembly', node, within, name)
    if (YUL_CALLS.includes(name)) {
      const parent = above.at(-1)
      const isDropped =
        parent?.nodeType === 'YulExpressionStatement' || childOf(parent ?? {}, 'functionName')?.name === 'pop'
      report(isDropped ? 'unchecked call' : 'low-level call', node, within, name)
    }
  }
  if (node.nodeType === 'ExpressionStatement') {
    const call = childOf(node, 'expression')
    const isLow = /^t_function_(bare|send)/.test(typeIdOf(childOf(call ?? {}, 'expression')))
    if (call?.nodeType === 'FunctionCall' && isLow) report('unchecked call', node, within, 'the answer is dropped')
  }
}

function declarations(node: AstNode, above: readonly AstNode[], report: Report, output: SolcOutput): void {
  const contract = above.find(({ nodeType }) => nodeType === 'ContractDefinition')
  const fn = above.findLast(({ nodeType }) => nodeType === 'FunctionDefinition')
  if (node.nodeType === 'VariableDeclaration' && node.stateVariable && node.visibility === 'internal') {
    report('visibility', node, node.name ?? '', 'a state variable is private or public')
  }
  if (node.nodeType === 'FunctionDefinition' && node.visibility === 'public' && node.virtual) {
    report('visibility', node, node.name ?? '', 'nothing of ours is to be overridden')
  }
  if (node.nodeType === 'FunctionDefinition' && node.stateMutability === 'payable' && node.kind !== 'receive') {
    report('payable', node, node.name ?? '', 'native coins come by plain transfer only')
  }
  const hasBody = fn !== undefined && childOf(fn, 'body') !== null
  if (node.nodeType === 'VariableDeclaration' && !node.stateVariable && node.name && contract && hasBody) {
    const names = namesOf(contract, output)
    if (names.has(node.name)) report('shadowing', node, fn.name ?? '', `${node.name} hides what the contract has`)
  }
}

/** State variables and functions of a contract and of all it inherits. */
function namesOf(contract: AstNode, output: SolcOutput): Set<string> {
  const bases = new Set((contract.linearizedBaseContracts as number[] | undefined) ?? [])
  const names = new Set<string>()
  for (const { ast } of Object.values(output.sources)) {
    for (const base of listOf(ast, 'nodes').filter(({ id }) => bases.has(id ?? -1))) {
      for (const part of listOf(base, 'nodes')) {
        const isNamed = part.nodeType === 'FunctionDefinition' || part.nodeType === 'VariableDeclaration'
        if (isNamed && part.name) names.add(part.name)
      }
    }
  }
  return names
}

/** Declarations by their id, over all files. */
interface Known {
  functions: Map<number, AstNode>
  stateVariables: Set<number>
}

function declared(output: SolcOutput): Known {
  const known: Known = { functions: new Map(), stateVariables: new Set() }
  for (const { ast } of Object.values(output.sources)) {
    walk(ast, (node) => {
      if (node.id === undefined) return
      if (node.nodeType === 'FunctionDefinition') known.functions.set(node.id, node)
      if (node.nodeType === 'VariableDeclaration' && node.stateVariable) known.stateVariables.add(node.id)
    })
  }
  return known
}

/** Calls out of a function that anybody can reach are guarded against coming back, and state is written before them. */
function order(fn: AstNode, known: Known, report: Report): void {
  const isEntry = ['external', 'public'].includes(String(fn.visibility)) && fn.kind === 'function'
  if (!isEntry || !['nonpayable', 'payable'].includes(String(fn.stateMutability)) || !childOf(fn, 'body')) return
  const steps = stepsOf(fn, known, new Set())
  const call = steps.findIndex(({ kind }) => kind === 'call')
  if (call < 0) return
  const modifiers = listOf(fn, 'modifiers').map((modifier) => String(childOf(modifier, 'modifierName')?.name))
  const name = fn.name ?? ''
  if (!modifiers.includes('nonReentrant')) report('unguarded call', fn, name, 'calls out and can be called again')
  if (!modifiers.includes('nonReentrant') || name === 'rescue') {
    const late = steps.slice(call + 1).find(({ kind }) => kind === 'write')
    if (late) report('state after call', fn, name, 'remembers something only after it called out')
  }
}

interface Step {
  kind: 'call' | 'write'
}

/** What a function does to state and to other contracts, in the order of the text, through all that it calls inside. */
function stepsOf(fn: AstNode, known: Known, seen: Set<number>): Step[] {
  if (fn.id === undefined || seen.has(fn.id)) return []
  const inside = new Set([...seen, fn.id])
  const steps: Step[] = []
  const body = childOf(fn, 'body')
  if (!body) return []
  walk(body, (node) => {
    if (node.nodeType === 'YulFunctionCall' && childOf(node, 'functionName')?.name === 'call')
      steps.push({ kind: 'call' })
    if (node.nodeType === 'Assignment' && isState(childOf(node, 'leftHandSide'), known)) steps.push({ kind: 'write' })
    if (node.nodeType === 'UnaryOperation' && node.operator === 'delete') steps.push({ kind: 'write' })
    if (node.nodeType !== 'FunctionCall') return
    const called = childOf(node, 'expression')
    const type = typeIdOf(called)
    if (/^t_function_(external_(non)?payable|bare(delegate)?call|send|transfer)/.test(type))
      steps.push({ kind: 'call' })
    const target = known.functions.get(Number(called?.referencedDeclaration))
    if (target && /^t_function_(internal|delegatecall)/.test(type)) steps.push(...stepsOf(target, known, inside))
  })
  return steps
}

/** Whether an assignment's left side is a state variable or a place in one. */
function isState(left: AstNode | null, known: Known): boolean {
  if (left?.nodeType === 'IndexAccess') return isState(childOf(left, 'baseExpression'), known)
  if (left?.nodeType === 'MemberAccess') return isState(childOf(left, 'expression'), known)
  return known.stateVariables.has(Number(left?.referencedDeclaration))
}
