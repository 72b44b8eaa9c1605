// Connects to receivers: every connection is made here, to an address that was checked immediately before and is then
// the only one dialled (contract.md 7). The host name stays for TLS. An IP address in the URL itself, which needs no
// lookup, is checked too.
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { type Phase, TargetRefused } from './outcome.ts'
import type { TargetPolicy } from './policy.ts'
import type { NameResolver } from './resolve.ts'

export interface Target {
  hostname: string
  port: number
  isTls: boolean
}

/** A connection being made or already open. */
export interface Dial {
  /** How far it has come. */
  phase(): Phase
  /** Bytes received; 0 before it is connected. */
  bytesRead(): number
  /** Closes it at once, however far it has come. */
  kill(): void
}

export type Dialler = (target: Target, done: (error: Error | null, socket: Socket | null) => void) => Dial

export interface DiallerOptions {
  resolver: NameResolver
  policy: TargetPolicy
  /** Additional root certificates, for tests. */
  ca?: string
}

// Node tries the next address after 250 ms, too short for a receiver on another continent.
const NEXT_ADDRESS_AFTER_MS = 1_500

export function makeDialler({ resolver, policy, ca }: DiallerOptions): Dialler {
  return ({ hostname, port, isTls }, done) => {
    let phase: Phase = 'dns'
    const vetted = async (): Promise<{ address: string; family: number }[]> => {
      const addresses = await resolver.resolve(hostname, policy.names(hostname, port))
      const bad = addresses.filter((address) => !policy.permits(address, hostname, port))
      // One bad address refuses the name: which of them is dialled is not under our control.
      if (bad.length > 0) throw new TargetRefused('url_forbidden_address', `${hostname} is at ${bad.join(', ')}`)
      return addresses.map((address) => ({ address, family: isIP(address) }))
    }
    const lookup: LookupFunction = (_host, options, answer) => {
      vetted().then(
        (list) => {
          phase = 'connect'
          const [first] = list
          if (options.all) answer(null, list)
          else answer(null, first?.address ?? '', first?.family ?? 4)
        },
        (error) => answer(error, '', 4),
      )
    }
    const options = {
      host: hostname,
      port,
      lookup,
      noDelay: true,
      keepAlive: true,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    }
    const literal = isIP(hostname) !== 0
    if (literal && !policy.permits(hostname, hostname, port)) {
      queueMicrotask(() => done(new TargetRefused('url_forbidden_address', hostname), null))
      return { phase: () => 'connect', bytesRead: () => 0, kill: () => undefined }
    }
    if (literal) phase = 'connect'
    const socket = isTls
      ? tlsConnect({
          ...options,
          // SNI must carry a name, never an address.
          ...(literal ? {} : { servername: hostname }),
          ALPNProtocols: ['http/1.1'],
          minVersion: 'TLSv1.2',
          rejectUnauthorized: true,
          ...(ca === undefined ? {} : { ca }),
        })
      : netConnect(options)
    let answered = false
    const answer = (error: Error | null): void => {
      if (answered) return
      answered = true
      done(error, error === null ? socket : null)
    }
    socket.once('connect', () => {
      phase = isTls ? 'tls' : 'headers'
      if (!isTls) answer(null)
    })
    socket.once('secureConnect', () => {
      phase = 'headers'
      answer(null)
    })
    socket.on('error', (error) => answer(error))
    socket.once('close', () => answer(Object.assign(new Error('closed while connecting'), { code: 'ECONNRESET' })))
    return { phase: () => phase, bytesRead: () => socket.bytesRead, kill: () => void socket.destroy() }
  }
}
