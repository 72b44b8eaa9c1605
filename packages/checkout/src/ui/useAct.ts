// One act of the payer towards the server: running, refused, or taken over into the page.
import type { Checkout } from '@florin/protocol'
import { useCallback, useState } from 'react'
import { Refusal } from '../api.ts'
import { useShared } from './context.ts'

export interface Act<A extends unknown[]> {
  isRunning: boolean
  refusal: Refusal | null
  /** @returns whether it was done */
  run(...args: A): Promise<boolean>
  forget(): void
}

export function useAct<A extends unknown[]>(send: (...args: A) => Promise<Checkout>): Act<A> {
  const { accept } = useShared()
  const [isRunning, setRunning] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const forget = useCallback(() => setRefusal(null), [])
  async function run(...args: A): Promise<boolean> {
    if (isRunning) return false
    setRunning(true)
    setRefusal(null)
    try {
      accept(await send(...args))
      return true
    } catch (error) {
      setRefusal(error instanceof Refusal ? error : new Refusal('network'))
      return false
    } finally {
      setRunning(false)
    }
  }
  return { isRunning, refusal, run, forget }
}
