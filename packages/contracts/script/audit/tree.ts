// The contracts' syntax tree: our own files, and those they import, as the compiler read them.
import { readSources } from '../compile.ts'
import { type AstNode, runSolidity, type SolcOutput } from '../solidity.ts'

/** The Solidity that money is trusted to: path inside the package → text. */
export const ourSources = (): Record<string, string> =>
  Object.fromEntries(Object.entries(readSources()).filter(([path]) => path.startsWith('src/')))

/** Syntax tree, documentation and storage of everything that `sources` holds or imports. */
export function analyse(sources: Record<string, string>): SolcOutput {
  return runSolidity(sources, { '*': { '': ['ast'], '*': ['abi', 'devdoc', 'userdoc', 'storageLayout'] } }, 'draft')
}

/** Calls `visit` for a node and all below it, each with the nodes it stands in, the nearest last. */
export function walk(
  node: AstNode,
  visit: (node: AstNode, above: readonly AstNode[]) => void,
  above: AstNode[] = [],
): void {
  visit(node, above)
  const inside = [...above, node]
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, inside)
  }
}

const isNode = (value: unknown): value is AstNode => typeof value === 'object' && value !== null && 'nodeType' in value

/** A field that is a node itself, or null. */
export function childOf(node: AstNode, field: string): AstNode | null {
  const child = node[field]
  return isNode(child) ? child : null
}

export const listOf = (node: AstNode, field: string): AstNode[] => {
  const list = node[field]
  return Array.isArray(list) ? list.filter(isNode) : []
}

/** Line of a node in its file, from 1. */
export function lineOf(node: AstNode, text: string): number {
  const start = Number(String(node.src).split(':')[0])
  return Buffer.from(text).subarray(0, start).toString().split('\n').length
}
