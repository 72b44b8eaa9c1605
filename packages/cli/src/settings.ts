// Where the API key, the service's address and the webhook secret come from: an option, the environment, a file that is
// named (--dotenv, since Node itself takes every --env-file, also one that follows a program). There is no option for the key, because other users of the machine can read the arguments of a program.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Failure, UsageFailure } from './failure.ts'
import { Florin } from './sdk.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const BASE_URL_DEFAULT = 'http://localhost:3000'

export interface Settings {
  readonly apiKey: string | undefined
  readonly baseUrl: string
  readonly webhookSecret: string | undefined
}

interface Asked {
  readonly environment: Environment
  text(name: string): string | undefined
}

/** Reads the settings; what the environment says wins over the file. */
export function readSettings({ environment, text }: Asked): Settings {
  const path = text('dotenv')
  const file = path === undefined ? {} : readEnvFile(path)
  const setting = (name: string) => filled(environment[name]) ?? filled(file[name])
  return {
    apiKey: setting('FLORIN_API_KEY'),
    baseUrl: text('base-url') ?? setting('FLORIN_BASE_URL') ?? BASE_URL_DEFAULT,
    webhookSecret: setting('FLORIN_WEBHOOK_SECRET'),
  }
}

const filled = (value: string | undefined): string | undefined => (value === '' ? undefined : value)

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new UsageFailure(isMissing ? `There is no file ${path}.` : `${path} cannot be read as an env file.`)
  }
}

/**
 * The client for these settings.
 * @param fetch what it sends with, for a caller that wants to hear of connections
 */
export function openClient(settings: Settings, fetch?: typeof globalThis.fetch): Florin {
  const { apiKey, baseUrl } = settings
  if (apiKey === undefined) {
    throw new Failure(
      'FLORIN_API_KEY is not set. Make a test key in the console and put it into the environment, or into a file that --dotenv names.',
    )
  }
  try {
    return new Florin({ apiKey, baseUrl, fetch })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageFailure(
      error.message.replace(/^apiKey/, 'FLORIN_API_KEY').replace(/^baseUrl/, 'The address of Florin (--base-url)'),
    )
  }
}

/** Whether a key moves real money. The service has the last word; this is for refusing before anything is sent. */
export const isLiveKey = (settings: Settings): boolean => settings.apiKey?.startsWith('florin_live_') ?? false

/** Refuses what cannot be a webhook secret before it signs anything. */
export function checkedSecret(secret: string, origin: string): string {
  if (/^florin_(live|test)_/.test(secret)) {
    throw new UsageFailure(`${origin} is an API key; it takes the webhook secret, "whsec_…".`)
  }
  if (secret === '' || /\s/.test(secret)) throw new UsageFailure(`${origin} is empty or has white space in it.`)
  return secret
}
