import type { SpanKind } from '@opentelemetry/api'

/** What caused some work. Passed as a value: `AsyncLocalStorage` took a tenth to a fifth of a gateway's CPU time. */
export type Cause = {
  requestId?: string | undefined
  /** The open span in the form of W3C Trace Context; absent while traces are off. */
  traceparent?: string | undefined
}

type OpenSpan = {
  cause: Cause
  rename(name: string): void
  set(attributes: Record<string, string | number>): void
  /** Marks the span as failed; a rejection of its work does it, too. */
  fail(): void
}

export type Tracing = {
  /** Runs `work` in a child of the span in `cause`; a rejection marks the span as failed. */
  span<T>(
    kind: keyof typeof SpanKind,
    name: string,
    cause: Cause,
    work: (span: OpenSpan) => Promise<T>,
  ): Promise<T>
  close(): Promise<void>
}

export const NO_TRACING: Tracing = {
  span: (_kind, _name, cause, work) => work({ cause, rename() {}, set() {}, fail() {} }),
  close: async () => {},
}

/** Without an endpoint nothing of OpenTelemetry is loaded. `service.name` is `tesp-<role>`. */
export async function startTracing(role: string, endpoint: string | undefined): Promise<Tracing> {
  if (!endpoint) return NO_TRACING
  const { otlpTracing } = await import('./otlp-tracing.ts')
  return otlpTracing(role, endpoint)
}
