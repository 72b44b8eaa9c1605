// The calls of an operator: sign in by a mailed code, read the checklist, sign out. Nothing of the session is kept.
import { Failure } from '../failure.ts'

/** As the service views a check. */
export interface Check {
  id: string
  subject: string | null
  status: 'ok' | 'warning' | 'fault'
  summary: string
  remedy: string | null
}

export interface Checklist {
  chain: string
  base_url: string
  checks: Check[]
}

const TIMEOUT_MS = 60_000

export class Operator {
  readonly #baseUrl: string
  #token: string | null = null

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '')
  }

  async sendCode(email: string): Promise<void> {
    await this.#call('POST', '/api/v1/auth/code', { email })
  }

  async signIn(email: string, code: string): Promise<void> {
    const { token } = await this.#call<{ token: string }>('POST', '/api/v1/auth/login', { email, code })
    this.#token = token
  }

  checklist(chain: string, guardian: string | undefined): Promise<Checklist> {
    const query = guardian === undefined ? '' : `?guardian=${encodeURIComponent(guardian)}`
    return this.#call('GET', `/api/v1/boss/golive/${encodeURIComponent(chain)}${query}`)
  }

  /** A session that cannot be ended ends by itself. */
  async signOut(): Promise<void> {
    await this.#call('POST', '/api/v1/boss/logout').catch(() => undefined)
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.#token === null ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new Failure(`${this.#baseUrl} cannot be reached: ${why}. --base-url says where to look.`)
    })
    const answer = (await response.json().catch(() => null)) as { data?: T; error?: { message?: string } } | null
    if (response.ok && answer?.data !== undefined) return answer.data
    throw new Failure(answer?.error?.message ?? `${this.#baseUrl} answered ${response.status}, and not as Florin does.`)
  }
}
