// Kills at random moments, through a real pgbouncer in transaction mode.
import { usePooler } from './pooled.ts'

await usePooler()
await import('./kill.slow.test.ts')
