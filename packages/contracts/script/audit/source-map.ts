// From instructions back to the Solidity text: which statements ran and which branches went which way.
import type { Hits } from '../../test/trace.ts'
import type { AstNode, SolcOutput } from '../solidity.ts'
import { lineOf, walk } from './tree.ts'

/** A code of a contract: the one that creates it, or the one on the chain. */
interface Code {
  object: string
  sourceMap: string
}

/** Range in a source file. */
interface Place {
  start: number
  end: number
  file: number
}

export interface Found {
  file: string
  line: number
  /** What stands there. */
  what: string
}

export interface Coverage {
  lines: { total: number; missed: Found[] }
  /** Each way of each branch. */
  branches: { total: number; missed: Found[] }
}

/** Where each instruction of a code comes from, by its position. */
function placesOf({ object, sourceMap }: Code): Map<number, Place> {
  const bytes = Buffer.from(object.replaceAll(/__\$.{34}\$__/g, '00'.repeat(20)), 'hex')
  const places = new Map<number, Place>()
  const last = ['0', '0', '0']
  let pc = 0
  for (const entry of sourceMap.split(';')) {
    for (const [n, field] of entry.split(':').slice(0, 3).entries()) if (field !== '') last[n] = field
    const [start = 0, length = 0, file = 0] = last.map(Number)
    places.set(pc, { start, end: start + length, file })
    const op = bytes[pc] ?? 0
    pc += op >= 0x60 && op <= 0x7f ? op - 0x5e : 1
  }
  return places
}

const STATEMENTS =
  /^(ExpressionStatement|VariableDeclarationStatement|Return|RevertStatement|EmitStatement|IfStatement|ForStatement|YulAssignment|YulVariableDeclaration|YulExpressionStatement|YulIf|YulSwitch)$/
const BRANCHES = /^(IfStatement|Conditional|ForStatement|YulIf|YulCase)$/

const placeOf = (node: AstNode): Place => {
  const [start = 0, length = 0, file = 0] = String(node.src).split(':').map(Number)
  return { start, end: start + length, file }
}

/**
 * What of our own files ran.
 *
 * @param output has syntax trees, and bytecode and source map of each contract.
 */
export function cover(output: SolcOutput, sources: Record<string, string>, hits: Hits): Coverage {
  const ran: Place[] = []
  const jumps: (Place & { ways: number })[] = []
  for (const [name, { evm }] of Object.values(output.contracts).flatMap((contracts) => Object.entries(contracts))) {
    for (const [code, { object, sourceMap }] of [
      [name, evm.deployedBytecode],
      [`${name} creation`, evm.bytecode],
    ] as const) {
      const seen = hits[code]
      if (!seen) continue
      const places = placesOf({ object, sourceMap })
      for (const pc of seen.ran) {
        const place = places.get(pc)
        if (place) ran.push(place)
      }
      for (const [pc, ways] of Object.entries(seen.jumps)) {
        const place = places.get(Number(pc))
        if (place) jumps.push({ ...place, ways })
      }
    }
  }

  const coverage: Coverage = { lines: { total: 0, missed: [] }, branches: { total: 0, missed: [] } }
  for (const [file, text] of Object.entries(sources)) {
    const tree = output.sources[file]
    if (!tree) continue
    const inFile = ran.filter((place) => place.file === tree.id)
    const lines = new Map<number, boolean>()
    const bytes = Buffer.from(text)
    walk(tree.ast, (node) => {
      const place = placeOf(node)
      const what = bytes.subarray(place.start, place.end).toString().split('\n')[0] ?? ''
      const line = lineOf(node, text)
      if (STATEMENTS.test(node.nodeType ?? '')) {
        const isRun = inFile.some(({ start, end }) => start >= place.start && end <= place.end)
        lines.set(line, (lines.get(line) ?? false) || isRun)
      }
      if (!BRANCHES.test(node.nodeType ?? '')) return
      // The last case is what the others leave.
      if (node.nodeType === 'YulCase' && node.value === 'default') return
      const ways = jumps
        .filter(({ start, end, file: of }) => of === tree.id && start === place.start && end === place.end)
        .reduce((sum, jump) => sum | jump.ways, 0)
      coverage.branches.total += 2
      if (!(ways & 1)) coverage.branches.missed.push({ file, line, what: `jump never taken: ${what}` })
      if (!(ways & 2)) coverage.branches.missed.push({ file, line, what: `jump always taken: ${what}` })
    })
    coverage.lines.total += lines.size
    for (const [line, isRun] of lines) {
      if (!isRun) coverage.lines.missed.push({ file, line, what: text.split('\n')[line - 1]?.trim() ?? '' })
    }
  }
  return coverage
}
