// Asking before what cannot be taken back. Where nobody can be asked, nothing is done.
import { Failure, UsageFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** Returns when the answer is yes. @throws Failure for any other answer, UsageFailure where there is nobody to answer */
export async function confirm(terminal: Terminal, question: string): Promise<void> {
  const answer = await terminal.ask(`${question} [y/N] `)
  if (answer === null) throw new UsageFailure(`${question} There is nobody to ask here: add --yes.`)
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was done.')
}
