// Browser features that a browser may lack, or may report in a form that no standard allows.

/** The payer's languages, most wanted first; empty where the browser reports none. */
export function wishedLanguages(): string[] {
  const { languages, language } = navigator as { languages?: readonly unknown[]; language?: unknown }
  return [...(languages ?? []), language].filter((wish) => typeof wish === 'string')
}

/** Whether the payer points with a mouse (`fine`) or a finger (`coarse`); false where the browser cannot tell. */
export const hasPointer = (kind: 'fine' | 'coarse'): boolean =>
  typeof matchMedia === 'function' && matchMedia(`(pointer: ${kind})`).matches
