// Whose turn it is to make a connection. All pools of all processes want theirs at once from a server that was just promoted or came
// back, and each waits only so long. Served all together, none is served in time, and all begin again without an end.

/** Of a process and a database. What a server does for a new connection is mostly work of a processor, not waiting. */
const AT_ONCE = 2

export class Turns {
  /** In the order in which they came. */
  readonly #waiting = new Set<() => void>()
  #taken = 0
  #pauses = 0

  /** @returns what ends the turn; null: it did not come within `waitMs`, or who wanted it left by `signal`. */
  take(waitMs: number, signal: AbortSignal): Promise<(() => void) | null> {
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(tooLate)
        signal.removeEventListener('abort', leave)
        this.#taken++
        let isOver = false
        resolve(() => {
          if (isOver) return
          isOver = true
          this.#taken--
          this.#serve()
        })
      }
      const leave = (): void => {
        clearTimeout(tooLate)
        this.#waiting.delete(begin)
        resolve(null)
      }
      const tooLate = setTimeout(leave, waitMs)
      signal.addEventListener('abort', leave)
      this.#waiting.add(begin)
      this.#serve()
    })
  }

  /** Nobody's turn comes for so long. */
  pause(ms: number): void {
    this.#pauses++
    setTimeout(() => {
      this.#pauses--
      this.#serve()
    }, ms).unref()
  }

  #serve(): void {
    for (const begin of this.#waiting) {
      if (this.#pauses > 0 || this.#taken >= AT_ONCE) return
      this.#waiting.delete(begin)
      begin()
    }
  }
}
