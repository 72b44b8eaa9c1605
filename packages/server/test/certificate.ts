// Certificates for tests, made when they are needed: the few bytes of X.509 that a TLS server needs, in DER.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  key: string
  cert: string
}

const der = (tag: number, ...parts: (Uint8Array | number[])[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts)
const ecdsaSha256 = sequence(der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
const nameOf = (common: string): Buffer =>
  sequence(der(0x31, sequence(der(0x06, [0x55, 0x04, 0x03]), der(0x0c, Buffer.from(common)))))
const timeOf = (at: Date): Buffer => der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`))

export interface Authority extends Certificate {
  /** A certificate for these DNS names or IPv4 addresses. */
  issue(names: readonly string[], valid?: { from: Date; to: Date }): Certificate
}

/** A certificate authority of its own: give its `cert` to the client as a root. */
export function anAuthority(): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const year = 365 * 86_400_000
  const around = { from: new Date(Date.now() - year), to: new Date(Date.now() + year) }
  const isAuthority = extension([0x55, 0x1d, 0x13], sequence(der(0x01, [0xff])), true)
  const own = build({
    subject: 'Test root',
    issuer: 'Test root',
    key: keys.publicKey,
    by: keys.privateKey,
    valid: around,
    extensions: [isAuthority],
  })
  return {
    cert: own,
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issue(names, valid = around) {
      const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const alternatives = names.map((name) =>
        /^[\d.]+$/.test(name) ? der(0x87, name.split('.').map(Number)) : der(0x82, Buffer.from(name)),
      )
      const extensions = [extension([0x55, 0x1d, 0x11], sequence(...alternatives), false)]
      const cert = build({
        subject: 'receiver',
        issuer: 'Test root',
        key: leaf.publicKey,
        by: keys.privateKey,
        valid,
        extensions,
      })
      return { cert, key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
    },
  }
}

function extension(oid: number[], value: Buffer, critical: boolean): Buffer {
  return sequence(der(0x06, oid), ...(critical ? [der(0x01, [0xff])] : []), der(0x04, value))
}

function build(a: {
  subject: string
  issuer: string
  key: KeyObject
  by: KeyObject
  valid: { from: Date; to: Date }
  extensions: Buffer[]
}): string {
  const serial = randomBytes(8)
  serial[0] = 1
  const toBeSigned = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, serial),
    ecdsaSha256,
    nameOf(a.issuer),
    sequence(timeOf(a.valid.from), timeOf(a.valid.to)),
    nameOf(a.subject),
    a.key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...a.extensions)),
  )
  const signature = sign('sha256', toBeSigned, a.by)
  const whole = sequence(toBeSigned, ecdsaSha256, der(0x03, [0], signature))
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`
}
