// When a backup of another program was made, by what its first bytes hold. The time of a file is that of its last copy. Pure.
import { HOUR_MS } from '@florin/protocol'

/** Some programs write the time of a zone that they do not name. The latest moment that it can mean is taken: no alarm is early. */
const ZONE_MAX_MS = 12 * HOUR_MS

/** @returns ms; null: the bytes hold no time. */
export function madeAt(head: Buffer): number | null {
  if (head.subarray(0, 5).toString('latin1') === 'PGDMP') return ofArchive(head)
  if (head.subarray(257, 262).toString('latin1') === 'ustar') return ofTar(head)
  const text = head.toString('utf8')
  const ofManifest = /"Path": "backup_label", "Size": \d+, "Last-Modified": "([\d-]+) ([\d:]+) GMT"/.exec(text)
  if (ofManifest !== null) return moment(`${ofManifest[1]}T${ofManifest[2]}Z`)
  const ofText = /^-- Started on ([\d-]{10}) ([\d:]{8})/m.exec(text)
  return ofText === null ? null : latest(moment(`${ofText[1]}T${ofText[2]}Z`))
}

/** @param label of pgBackRest: `20261120-010000F_20261121-010000I` */
export function madeAtLabel(label: string): number | null {
  const [, day = '', time = ''] = /(\d{8})-(\d{6})[FDI]$/.exec(label) ?? []
  const iso = `${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`
  return latest(moment(iso))
}

const moment = (iso: string): number | null => {
  const at = Date.parse(iso)
  return Number.isNaN(at) ? null : at
}

const latest = (at: number | null): number | null => (at === null ? null : at + ZONE_MAX_MS)

/** pg_dump, forms custom and directory: versions, the size of its integers, and the local time as `tm` has it. */
function ofArchive(head: Buffer): number | null {
  const [major = 0, minor = 0, size = 0] = [head[5], head[6], head[8]]
  const isNew = major > 1 || (major === 1 && minor >= 15)
  // A sign, and then as many bytes, the lowest first.
  const integer = 1 + size
  const start = 11 + (isNew ? 1 : integer)
  if (size < 1 || size > 6 || head.length < start + 6 * integer) return null
  const fields = [0, 1, 2, 3, 4, 5].map((n) => head.readUIntLE(start + n * integer + 1, size))
  const [second = 0, minute = 0, hour = 0, day = 0, month = 0, year = 0] = fields
  const isTime =
    second <= 60 && minute < 60 && hour < 24 && day >= 1 && day <= 31 && month < 12 && year >= 100 && year < 300
  return isTime ? latest(Date.UTC(1900 + year, month, day, hour, minute, second)) : null
}

/** pg_dump and pg_basebackup write a file of their own first; another tar may begin with an old file. */
function ofTar(head: Buffer): number | null {
  const name = head.subarray(0, 100).toString('latin1').replace(/\0.*$/s, '')
  if (name !== 'toc.dat' && name !== 'backup_label') return null
  const seconds = Number.parseInt(head.subarray(136, 148).toString('latin1'), 8)
  return Number.isNaN(seconds) ? null : seconds * 1_000
}
