// The query parameter that selects the mode of a console list or statistic. It has no default: live and test never mix,
// and a caller that did not choose should get neither.
import { Type } from 'typebox'

const Livemode = Type.Enum(['true', 'false'], { description: 'true: live; false: test' })

export const LivemodeQuery = { livemode: Livemode }

/** For items identified by their number: given or not, the number decides. */
export const OptionalLivemodeQuery = { livemode: Type.Optional(Livemode) }

export const readLivemode = (query: { livemode: 'true' | 'false' }): boolean => query.livemode === 'true'

/** @returns null: either. */
export const readOptionalLivemode = (query: { livemode?: 'true' | 'false' }): boolean | null =>
  query.livemode === undefined ? null : query.livemode === 'true'
