// Whether two accounts of one chain are of the same wallet, and which of them has the keys of the other. Pure.

import type { HDKey } from '@scure/bip32'
import { type Account, keysOf } from './account.ts'
import { UNKNOWN_FINGERPRINT } from './descriptor.ts'
import { isHardened } from './keys.ts'

/**
 * `covered`: whoever can sign with a key of the first account has the keys of the second. `above`: the second text shows a key that
 * the first one's come from, so the reverse. `claimed`: both keys name the same parent, and neither text shows it, so nothing proves
 * that they are of one wallet.
 */
export type Overlap = 'covered' | 'above' | 'claimed'

/** @returns null where the accounts have nothing in common. A parent that a key only names is compared with the key where one is shown. */
export function overlapOf(first: Account, second: Account): Overlap | null {
  if (first.chain !== second.chain || first.network !== second.network) return null
  if (covers(first, second)) return 'covered'
  if (covers(second, first)) return 'above'
  const [one, other] = [namedParent(first), namedParent(second)]
  return one !== null && one === other ? 'claimed' : null
}

/** With the private key of one address and the public keys of `outer`'s text all of its path can be had, and what is below that. */
function covers(outer: Account, inner: Account): boolean {
  const { path, extended } = keysOf(inner)
  const { childNumber } = extended
  const steps = new Set([0, 1, ...(isHardened(childNumber) ? [] : [childNumber])])
  return keysOf(outer).path.some((key) =>
    [key, ...[...steps].map((step) => key.deriveChild(step))].some((one) => path.some((own) => isSame(one, own))),
  )
}

function namedParent(account: Account): string | null {
  const { depth, childNumber, parentFingerprint } = keysOf(account).extended
  return depth === 0 || isHardened(childNumber) || parentFingerprint === UNKNOWN_FINGERPRINT ? null : parentFingerprint
}

const isSame = (one: HDKey, other: HDKey): boolean => textOf(one) === textOf(other)
const textOf = ({ publicKey, chainCode }: HDKey): string => `${publicKey?.join()} ${chainCode?.join()}`
