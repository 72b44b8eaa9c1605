// The QR code on its white plate. It stays dark on white in every theme: many cameras read no inverted code.

import { drawQr, QUIET } from '@florin/checkout-core'
import { useMemo } from 'react'

export function QrCode({ text, label }: { text: string; label: string }) {
  const drawing = useMemo(() => drawQr(text), [text])
  if (drawing === null) return null
  const side = drawing.size + 2 * QUIET
  return (
    <svg
      className="qr"
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={drawing.path} fill="#000" />
    </svg>
  )
}
