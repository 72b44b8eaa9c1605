// The settings of a process as types. config.ts reads them; features take the ones they need.
import type { Override } from './prices/agree/decide.ts'

export type ServiceMode = 'all' | 'api' | 'worker' | 'migrate'
export type SignupRule = { kind: 'open' } | { kind: 'closed' } | { kind: 'allowlist'; patterns: readonly string[] }

export interface FxSourceSetting {
  id: string
  /** null: built in; else an address of the operator's own that answers as docs/currencies.md says. */
  url: string | null
}

export interface Config {
  /** null: embedded PostgreSQL below dataDir. */
  readonly databaseUrl: string | null
  /** For MODE=migrate and all: where migrations run when `databaseUrl` leads through a pooler; null: at `databaseUrl`. */
  readonly migrateDatabaseUrl: string | null
  readonly port: number
  readonly host: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly isLoopbackInstall: boolean
  readonly dataDir: string
  /** Where what binds a pay address is written before it is shown. */
  readonly journalDir: string
  /** Where backups are, to be looked at by the checklist; null: not said. */
  readonly backupDir: string | null
  /** The PostgreSQL that drills restore into; null: the embedded one, started for the drill. */
  readonly backupDrillUrl: string | null
  /** null: made on first start in dataDir/master.key. */
  readonly masterKey: string | null
  readonly masterKeyOld: string | null
  readonly mode: ServiceMode
  /** null: codes are printed on the terminal. */
  readonly smtpUrl: string | null
  readonly mailFrom: string
  readonly signup: SignupRule
  /** Codes an hour that are mailed to emails nobody here has, in all. */
  readonly signupMailsPerHour: number
  /** Lower case. */
  readonly operatorEmails: readonly string[]
  /** Whom to tell about a vulnerability, as addresses with a scheme; empty: not said. */
  readonly securityContact: readonly string[]
  /** How long a sign-in or a confirmation is fresh. */
  readonly freshSignInMs: number
  /** CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[]
  readonly feeBps: number
  /** chain id → where the operator's fee goes. */
  readonly feeAddresses: Readonly<Record<string, string>>
  /** Where exchange rates are asked for; none: orders are in dollars only. */
  readonly fxSources: readonly FxSourceSetting[]
  /** By currency, the operator's word for it. */
  readonly fxOverrides: ReadonlyMap<string, Override>
  /** Path of a JSON file, or null: sandbox only. */
  readonly railsConfig: string | null
  /** Packages of rails that are not the repository's own. */
  readonly rails: readonly string[]
  readonly webhookRetryWaitsMs: readonly number[]
  readonly webhookTimeoutMs: number
  /** host[:port] or CIDR the operator permits beside the public internet. */
  readonly webhookAllow: readonly string[]
  readonly webhookAllowPrivate: boolean
  /** Public addresses and CIDR ranges that lead to this installation, such as the outside of a NAT. */
  readonly webhookOwnAddresses: readonly string[]
  readonly retentionEventsMs: number
  readonly retentionAttemptsMs: number
  readonly rateLimits: boolean
  readonly requestsPerMinute: { readonly key: number; readonly merchant: number; readonly address: number }
  /** For how long a process that stops still answers, not ready, so that balancers turn away. */
  readonly drainDelayMs: number
  readonly metricsToken: string | null
  readonly logLevel: string
  readonly accessLog: boolean
  /** Where traces go; null: there are none. */
  readonly otlp: { url: string; headers: Readonly<Record<string, string>>; service: string } | null
  readonly devnet: boolean
}
