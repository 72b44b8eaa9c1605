// The walk of the contract, through a real pgbouncer in transaction mode.
import { usePooler } from './pooled.ts'

await usePooler()
await import('./walk.test.ts')
