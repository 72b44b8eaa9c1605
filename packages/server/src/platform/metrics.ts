// The registry of what this process counts. Features declare their metrics in a metrics.ts of their own; nothing
// here asks the database, so looking at the metrics never costs what they measure.
import { Registry } from 'prom-client'

export const metrics = new Registry()
