// Logging: JSON lines, or readable lines on a terminal. Every line says which process wrote it, and the request and the
// trace that it belongs to. Requests are logged by route pattern, never by URL or header, because both can carry secrets
// (checkout tokens, API keys).
import { hostname } from 'node:os'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { scopeFields } from './trace/scope.ts'

/** This process among those of one installation. */
export const instance = `${hostname()}:${process.pid}`

/** @param destination where the lines go; omitted: standard output. */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    // Words, as every log viewer reads them: info, warn, error.
    formatters: { level: (label) => ({ level: label }) },
    base: { instance },
    mixin: scopeFields,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      err: pino.stdSerializers.err,
      req: (request: { method?: string; routeOptions?: { url?: string } }) => ({
        method: request.method,
        route: request.routeOptions?.url ?? 'unknown',
      }),
      res: (reply: { statusCode?: number }) => ({ status: reply.statusCode }),
    },
    redact: {
      paths: ['*.password', '*.api_key', '*.apiKey', '*.webhook_secret', '*.token', '*.code_hash', '*.authorization'],
      censor: '[redacted]',
    },
  }
  if (destination !== undefined) return pino(options, destination)
  const transport = {
    target: 'pino-pretty',
    options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname,instance' },
  }
  return pino(process.stdout.isTTY && hasPretty() ? { ...options, transport } : options)
}

/** The image leaves it out: there logs go to a collector. */
function hasPretty(): boolean {
  try {
    import.meta.resolve('pino-pretty')
    return true
  } catch {
    return false
  }
}
