// Unpacks small texts with one zlib engine that is kept. Node's public call makes an engine and a buffer for each text, which is most
// of its time (14 µs of processor time for a body, and 6 this way) and was what the sender of webhooks spent most on beside
// the request. The engine is reached by names that Node does not promise, so it is tried first and whatever it does not do
// as expected is left to the public call.
import { constants, createInflateRaw, deflateRawSync } from 'node:zlib'

interface Engine {
  reset(): void
  writeSync(
    flush: number,
    from: Uint8Array,
    at: number,
    length: number,
    to: Uint8Array,
    toAt: number,
    room: number,
  ): void
}

interface Kept {
  readonly _handle: Engine | null
  /** Filled by each write: the room and the input that were left. */
  readonly _writeState: Uint32Array
}

/** Texts are written one behind the other: a buffer of its own costs a text more than the unpacking. */
const SLAB_BYTES = 64 * 1024
const LARGE_BYTES = 16 * 1024

/**
 * @param inflate the public call, which also says what is wrong with bytes that are no packed text.
 * @returns unpacks; null: not to be had this way (too large, broken, or another Node).
 */
export function makeInflater(
  dictionary: Uint8Array,
  inflate: (packed: Uint8Array) => Uint8Array,
): (packed: Uint8Array) => Uint8Array | null {
  let kept = engineOf(dictionary)
  let slab = Buffer.alloc(0)
  let used = 0

  const unpack = (packed: Uint8Array): Uint8Array | null => {
    if (kept?._handle == null) return null
    if (slab.length - used < LARGE_BYTES) {
      slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
      used = 0
    }
    const { _handle: engine, _writeState: left } = kept
    engine.reset()
    // What is not written to the end tells nothing, and must not be read as the end of the text before.
    left[1] = 1
    engine.writeSync(constants.Z_FINISH, packed, 0, packed.length, slab, used, LARGE_BYTES)
    // Broken bytes end an engine.
    if (kept._handle === null) {
      kept = engineOf(dictionary)
      return null
    }
    const [room = 0, input = 1] = left
    if (room === 0 || input > 0) return null
    const text = slab.subarray(used, used + LARGE_BYTES - room)
    used += text.length
    return text
  }

  try {
    const sample = deflateRawSync('{"tried":"before it is believed"}', { dictionary })
    for (let twice = 0; twice < 2; twice++) {
      if (Buffer.compare(unpack(sample) ?? Buffer.alloc(0), inflate(sample)) !== 0) return () => null
    }
    return unpack
  } catch {
    return () => null
  }
}

function engineOf(dictionary: Uint8Array): Kept | null {
  const kept: unknown = createInflateRaw({ dictionary }).on('error', () => undefined)
  return hasEngine(kept) ? kept : null
}

function hasEngine(a: unknown): a is Kept {
  if (a === null || typeof a !== 'object' || !('_handle' in a) || !('_writeState' in a)) return false
  const { _handle: engine, _writeState: left } = a
  return (
    left instanceof Uint32Array &&
    engine !== null &&
    typeof engine === 'object' &&
    ['reset', 'writeSync'].every((name) => typeof Reflect.get(engine, name) === 'function')
  )
}
