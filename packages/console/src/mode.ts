// Whether test or live data is shown. Every list and statistic is asked for in one mode; the two never mix.
import { stored } from './ui/stored.ts'

const mode = stored('florin.mode', ['test', 'live'], 'test')

export const setLive = (live: boolean): void => mode.set(live ? 'live' : 'test')
export const useLive = (): boolean => mode.use() === 'live'
