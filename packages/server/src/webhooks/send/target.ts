// Connects to receivers: every connection is made here, to an address that was checked immediately before and is then
// the only one dialled (contract.md 7). The host name stays for TLS. An IP address in the URL itself, which needs no
// lookup, is checked too.
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { type Phase, TargetRefused } from './outcome.ts'
import { makeOwnAddresses, type OwnAddresses } from './own.ts'
import { makePolicy, type TargetPolicy, type TargetSettings } from './policy.ts'
import { makeResolver, type NameResolver } from './resolve.ts'

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
  own: OwnAddresses
  /** Additional root certificates, for tests. */
  ca?: string
}

// Node tries the next address after 250 ms, too short for a receiver on another continent.
const NEXT_ADDRESS_AFTER_MS = 1_500

/** The dialler of this process. */
export function diallerOf(config: TargetSettings & { baseUrl: string }): Dialler {
  const resolver = makeResolver()
  const own = makeOwnAddresses({ baseUrl: config.baseUrl, resolver })
  return makeDialler({ resolver, policy: makePolicy(config), own })
}

export function makeDialler({ resolver, policy, own, ca }: DiallerOptions): Dialler {
  return ({ hostname, port, isTls }, done) => {
    let phase: Phase = 'dns'
    let socket: Socket | null = null
    let isAnswered = false
    const answer = (error: Error | null): void => {
      if (isAnswered) return
      isAnswered = true
      done(error, error === null ? socket : null)
    }
    const isPermitted = async (address: string): Promise<boolean> => {
      if (policy.permits(address, hostname, port, true)) return true
      return policy.permits(address, hostname, port) && !(await own.includes(address))
    }
    const vetted = async (): Promise<{ address: string; family: number }[]> => {
      const isLiteral = isIP(hostname) !== 0
      const addresses = isLiteral ? [hostname] : await resolver.resolve(hostname, policy.names(hostname, port))
      const judged = await Promise.all(addresses.map(isPermitted))
      const bad = addresses.filter((_address, n) => !judged[n])
      // One bad address refuses the name: which of them is dialled is not under our control.
      if (bad.length > 0) throw new TargetRefused('url_forbidden_address', `${hostname} is at ${bad.join(', ')}`)
      return addresses.map((address) => ({ address, family: isIP(address) }))
    }
    vetted().then((addresses) => {
      if (isAnswered) return
      phase = 'connect'
      socket = connectTo({ hostname, port, isTls }, addresses, ca)
      socket.once('connect', () => {
        phase = isTls ? 'tls' : 'headers'
        if (!isTls) answer(null)
      })
      socket.once('secureConnect', () => {
        phase = 'headers'
        answer(null)
      })
      socket.on('error', (error) => answer(error))
      socket.once('close', () => answer(closedWhileConnecting()))
    }, answer)
    return {
      phase: () => phase,
      bytesRead: () => socket?.bytesRead ?? 0,
      kill() {
        if (socket !== null) socket.destroy()
        else queueMicrotask(() => answer(closedWhileConnecting()))
      },
    }
  }
}

const closedWhileConnecting = (): Error => Object.assign(new Error('closed while connecting'), { code: 'ECONNRESET' })

/** @param addresses the judged ones; the name is not looked up again. */
function connectTo(
  { hostname, port, isTls }: Target,
  addresses: readonly { address: string; family: number }[],
  ca?: string,
): Socket {
  const lookup: LookupFunction = (_host, options, answer) => {
    const [first] = addresses
    if (options.all) answer(null, [...addresses])
    else answer(null, first?.address ?? '', first?.family ?? 4)
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
  if (!isTls) return netConnect(options)
  return tlsConnect({
    ...options,
    // SNI must carry a name, never an address.
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  })
}
