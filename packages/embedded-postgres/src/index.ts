export { type App, EmbeddedRefused } from './app.ts'
export { type EphemeralOptions, startEphemeral } from './ephemeral.ts'
export { findRunning } from './running.ts'
export { type Embedded, type EmbeddedOptions, startEmbedded } from './start.ts'
