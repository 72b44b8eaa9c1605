// Putting answers into words, the same in every check.
import { type Answer, inShort, isAccepted } from '../post.ts'
import { oneLine } from '../terminal.ts'

/** `answered 200 in 4 ms`, `did not answer within 10 s`, `closed the connection (ECONNRESET)` */
export function inWords(answer: Answer): string {
  switch (answer.kind) {
    case 'answered': {
      const text = oneLine(answer.text, 60)
      return `answered ${answer.status} in ${answer.latencyMs} ms${text === '' ? '' : `, saying "${text}"`}`
    }
    case 'timeout':
      return `did not answer within ${seconds(answer.latencyMs)}`
    case 'broken':
      return `gave no answer (${answer.code}: ${oneLine(answer.message, 100)})`
    case 'stopped':
      return 'was not waited for'
  }
}

export const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

/** `200, 200 and 500` */
export function listed(answers: readonly Answer[]): string {
  const words = answers.map(inShort)
  const counts = [...new Set(words)].map((word) => {
    const times = words.filter((each) => each === word).length
    return times === 1 ? word : `${word} (${times} times)`
  })
  return counts.length < 2 ? (counts[0] ?? 'nothing') : `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}`
}

export const allAccepted = (answers: readonly Answer[]): boolean => answers.every(isAccepted)

/** Refused on purpose: an answer, and none that means that something fell over. */
export const isRefusal = (answer: Answer): boolean =>
  answer.kind === 'answered' && answer.status >= 300 && answer.status < 500
