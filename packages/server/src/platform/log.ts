// Logging: JSON lines, or readable lines on a terminal. Requests are logged by route pattern, never by URL or
// header, because both can carry secrets (checkout tokens, API keys).
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'

/** @param destination where the lines go; omitted: standard output. */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      err: pino.stdSerializers.err,
      req: (request: { id?: string; method?: string; routeOptions?: { url?: string } }) => ({
        id: request.id,
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
  const transport = { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' } }
  return pino(process.stdout.isTTY ? { ...options, transport } : options)
}
