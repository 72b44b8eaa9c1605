// What operators are shown of a chain's providers: sentences, and metrics of the process that watches.
import { metrics } from '@florin/platform/metrics'
import { firstLine } from '@florin/rail-kit/first-line'
import { Gauge } from 'prom-client'
import { BaseError } from 'viem'
import { ProviderSilent } from '../node/provider.ts'
import { noQuorumIn } from '../node/quorum.ts'
import type { ProviderState } from '../node/trust.ts'

const verdicts = new Gauge({
  name: 'florin_chain_provider',
  help: 'What is thought of a provider of a chain: 1 for its verdict, 0 for the others',
  labelNames: ['chain', 'provider', 'verdict'] as const,
  registers: [metrics],
})
const contradictions = new Gauge({
  name: 'florin_chain_contradictions',
  help: 'Contradictions between the providers of a chain in the last minutes that nobody decided',
  labelNames: ['chain'] as const,
  registers: [metrics],
})

const ALL = ['ok', 'laggard', 'frozen', 'liar', 'wrong_chain', 'silent'] as const satisfies ProviderState['verdict'][]

export interface ProvidersHealth {
  providers: readonly ProviderState[]
  disputes: readonly string[]
}

export function measureProviders(chain: string, { providers, disputes }: ProvidersHealth): void {
  for (const { name: provider, verdict } of providers)
    for (const one of ALL) verdicts.set({ chain, provider, verdict: one }, one === verdict ? 1 : 0)
  contradictions.set({ chain }, disputes.length)
}

/** Another process watches the chain now. */
export function forgetProviders(chain: string, { providers }: Pick<ProvidersHealth, 'providers'>): void {
  for (const { name: provider } of providers) for (const verdict of ALL) verdicts.remove({ chain, provider, verdict })
  contradictions.remove({ chain })
}

const words: Readonly<Record<ProviderState['verdict'], string>> = {
  ok: 'is all right',
  laggard: 'lags behind',
  frozen: 'stands still',
  liar: 'is contradicted by two others',
  wrong_chain: 'is on another chain',
  silent: 'does not answer',
}

/** null: it is all right. */
export function sentenceOf(chain: string, { name, verdict, reason, until }: ProviderState): string | null {
  if (verdict === 'ok') return null
  const aside = until === null ? '' : `; it is set aside until ${until.toISOString()}`
  return `${chain}: ${name} ${words[verdict]}: ${reason ?? 'no reason is known'}${aside}`
}

/** Why a chain could not be read: which provider, and its fault. */
export function faultOf(providers: readonly ProviderState[], error: unknown): string {
  const faults = providers.flatMap(({ name, reason }) =>
    reason === null ? [] : [reason.startsWith(`${name}: `) ? reason : `${name}: ${reason}`],
  )
  const quorum = noQuorumIn(error)
  // A contradiction names those who are in it.
  if (quorum !== null) return [quorum.message, ...(quorum.isContradiction ? [] : faults)].join('; ')
  const isTheirs = error instanceof BaseError || error instanceof ProviderSilent
  if (!isTheirs && faults.length === 0) return `the chain could not be read: ${firstLine(error)}`
  const names = providers.map(({ name }) => name).join(', ')
  const told = faults.length > 0 ? faults : [`${names}: ${detailsOf(error)}`]
  return `no node of the chain answers as it should: ${told.join('; ')}`
}

/** The provider's own words: viem puts them behind its own. */
const detailsOf = (error: unknown): string =>
  error instanceof BaseError && error.details !== '' ? error.details.slice(0, 200) : firstLine(error)
