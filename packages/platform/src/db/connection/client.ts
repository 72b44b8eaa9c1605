// The settings of a connection, for the clients of pg.
import type pg from 'pg'
import { columnTypes } from './columns.ts'

export interface ServerOptions {
  url: string
  applicationName: string
}

/** @param connectMs how long a new connection may take. */
export function clientConfig({ url: text, applicationName }: ServerOptions, connectMs: number): pg.ClientConfig {
  const url = new URL(text)
  // `sslmode=require` means what it means to psql: encrypted, whatever the certificate.
  if (url.searchParams.has('sslmode') && !url.searchParams.has('uselibpqcompat')) {
    url.searchParams.set('uselibpqcompat', 'true')
  }
  return {
    connectionString: url.href,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    pipeline: true,
    types: columnTypes,
  }
}
