import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Tracing } from './tracing.ts'

/** Longest time of an export with its repetitions, real ms: a stop waits for one. */
const EXPORT_MS = 2_000

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

function contextOf(traceparent = ''): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? []
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16)
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** The open span is part of the cause that is passed on, so no context manager of OpenTelemetry is needed. */
export function otlpTracing(role: string, endpoint: string): Tracing {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `tesp-${role}` }),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS })),
    ],
  })
  const tracer = provider.getTracer('tesp-network')
  return {
    async span(kind, name, cause, work) {
      const span = tracer.startSpan(name, { kind: SpanKind[kind] }, contextOf(cause.traceparent))
      if (cause.requestId) span.setAttribute('request.id', cause.requestId)
      try {
        return await work({
          cause: { ...cause, traceparent: traceparentOf(span) },
          rename: (text) => void span.updateName(text),
          set: (attributes) => void span.setAttributes(attributes),
          fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
        })
      } catch (error) {
        // The class only: messages of drivers may hold values of members.
        const message = error instanceof Error ? error.name : 'thrown'
        span.setStatus({ code: SpanStatusCode.ERROR, message })
        throw error
      } finally {
        span.end()
      }
    },
    // Spans that are lost do not make a stop a failure.
    close: () => provider.shutdown().catch(() => {}),
  }
}
