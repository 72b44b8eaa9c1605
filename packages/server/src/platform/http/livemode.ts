// The query parameter that says which mode a console list or statistic is about. It has no default: live and test
// never mix, and a caller that did not say which it wants should not be given either.
import { Type } from 'typebox'

const Livemode = Type.Enum(['true', 'false'], { description: 'true: live; false: test' })

export const LivemodeQuery = { livemode: Livemode }

/** For what is named by its number: said or not, the number decides. */
export const OptionalLivemodeQuery = { livemode: Type.Optional(Livemode) }

export const readLivemode = (query: { livemode: 'true' | 'false' }): boolean => query.livemode === 'true'

/** @returns null: either. */
export const readOptionalLivemode = (query: { livemode?: 'true' | 'false' }): boolean | null =>
  query.livemode === undefined ? null : query.livemode === 'true'
