// QR codes: black on white in both schemes, because cameras need it, drawn as one path.
import { encode } from 'uqr'

export function QrCode({ value, label, size = 168 }: { value: string; label: string; size?: number }) {
  // 'M' outlives a scratched screen; four modules of quiet zone are what the standard asks for.
  const { data, size: modules } = encode(value, { ecc: 'M', border: 4 })
  const path = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
      style={{ borderRadius: 8, background: '#fff' }}
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
