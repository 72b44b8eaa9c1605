// How a program ends that a person starts by hand.
import { OperatorError } from './errors.ts'

/** A refusal is a sentence for a person; everything else is a bug and shows its stack. */
export function runCommand(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const text = error instanceof OperatorError ? error.message : String(error instanceof Error ? error.stack : error)
    process.stderr.write(`${text}\n`)
    process.exitCode = 1
  })
}
