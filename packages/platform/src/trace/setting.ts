// Where traces go, by the names that OpenTelemetry gave its settings.

interface Texts {
  url: string | null
  /** `name=value` each. */
  headers: readonly string[]
  service: string | null
}

/** What is wrong is added to `faults`; the value of a header is a secret and is not said. */
export function readOtlp(
  { url, headers, service }: Texts,
  faults: string[],
): { url: string; headers: Record<string, string>; service: string } | null {
  const pairs = headers.map((pair) => [pair.split('=')[0]?.trim() ?? '', pair.slice(pair.indexOf('=') + 1).trim()])
  if (headers.some((pair) => !/^[\w-]+\s*=\s*[\x21-\x7e][\x20-\x7e]*$/.test(pair)))
    faults.push('OTEL_EXPORTER_OTLP_HEADERS takes name=value pairs, such as authorization=Bearer abc.')
  if (url === null) return null
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    faults.push('OTEL_EXPORTER_OTLP_ENDPOINT takes an http or https address, such as http://127.0.0.1:4318.')
    return null
  }
  if (parsed.username !== '' || parsed.password !== '') {
    faults.push(
      'OTEL_EXPORTER_OTLP_ENDPOINT has a user or a password in it. Name them in OTEL_EXPORTER_OTLP_HEADERS: authorization=Basic ….',
    )
    return null
  }
  // As OpenTelemetry reads it: the base of all signals.
  parsed.pathname = `${parsed.pathname.replace(/\/$/, '')}/v1/traces`
  return { url: parsed.href, headers: Object.fromEntries(pairs), service: service ?? 'florin' }
}
