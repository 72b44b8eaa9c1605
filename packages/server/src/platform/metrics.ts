// The metrics registry of this process. Features declare their metrics in a metrics.ts of their own; nothing here
// queries the database, so reading the metrics never adds to the load they measure.
import { Registry } from 'prom-client'

export const metrics = new Registry()
