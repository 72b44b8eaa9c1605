// The program's name as it was called: `./florin` in a checkout of the source, `florin` where the archive is installed. Pure.
import type { Environment } from './settings.ts'

/** Texts name the program `florin` before a command. */
const inTexts = /(?<![\w./])florin (?=[a-z-]*[a-z]|WORD\b)/g

/** @param environment `FLORIN_CALLED_AS` is set by the launcher of a checkout. */
export function asCalled(text: string, { FLORIN_CALLED_AS: name }: Environment): string {
  return name === undefined || name === '' ? text : text.replace(inTexts, () => `${name} `)
}
