// The metrics registry of this process. Features declare their metrics in a metrics.ts of their own. Reading them adds
// nothing to the load they measure: what lies in the database is counted by a job at its own pace.
import { Registry } from 'prom-client'

export const metrics = new Registry()
