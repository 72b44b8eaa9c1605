// The console's success envelope (contract.md 5): code 0 and data.
import { type TSchema, Type } from 'typebox'

export const envelope = <T>(data: T): { code: 0; data: T } => ({ code: 0, data })

/** The response schema of an envelope around `data`. */
export const Envelope = <T extends TSchema>(data: T) =>
  Type.Object({ code: Type.Literal(0), data }, { additionalProperties: false })
