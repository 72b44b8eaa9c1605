// Spans by OpenTelemetry to a collector, over HTTP. Its packages are loaded by the first who calls this, so that a start
// without the setting does not wait for them.
import type { Span, SpanStart, Tracer } from './tracing.ts'

export interface OtlpSettings {
  /** Where traces are posted to, with its path. */
  url: string
  headers: Readonly<Record<string, string>>
  service: string
  version: string
  instance: string
}

const QUEUE_MAX = 4_096
const EXPORT_WITHIN_MS = 5_000

export async function otlpTracer(settings: OtlpSettings): Promise<Tracer> {
  const [api, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const { service, version, instance, url, headers } = settings
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_WITHIN_MS })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.version': version,
      'service.instance.id': instance,
    }),
    // What does not fit is dropped: a collector that is away costs memory for so many, and no payment waits for it.
    spanProcessors: [
      new BatchSpanProcessor(exporter, { maxQueueSize: QUEUE_MAX, exportTimeoutMillis: EXPORT_WITHIN_MS }),
    ],
  })
  const tracer = provider.getTracer('florin', version)
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, internal: api.SpanKind.INTERNAL }
  return {
    start({ name, kind, parent, attributes }: SpanStart): Span {
      const under =
        parent === null
          ? api.ROOT_CONTEXT
          : api.trace.setSpanContext(api.ROOT_CONTEXT, {
              traceId: parent.slice(3, 35),
              spanId: parent.slice(36, 52),
              traceFlags: api.TraceFlags.SAMPLED,
              isRemote: true,
            })
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, under)
      const { traceId, spanId } = span.spanContext()
      return {
        traceparent: `00-${traceId}-${spanId}-01`,
        end(failure, more = {}) {
          span.setAttributes({ ...more })
          if (failure !== null) span.setStatus({ code: api.SpanStatusCode.ERROR, message: failure })
          span.end()
        },
      }
    },
    // A collector that is away must not hold up the stop.
    end: () => provider.shutdown().catch(() => undefined),
  }
}
