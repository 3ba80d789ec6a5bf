/** What a span stands for, in the words of OpenTelemetry. */
export type SpanKind = 'server' | 'consumer' | 'internal'

/** A span while its work runs. */
type OpenSpan = {
  rename(name: string): void
  set(attributes: Record<string, string | number>): void
}

/** Records the operations of a process as spans of traces. */
export type Tracing = {
  /** Runs `work` as a child of the span that is open now; a rejection marks the span as failed. */
  span<T>(kind: SpanKind, name: string, work: (span: OpenSpan) => Promise<T>): Promise<T>
  /** Sends what is left. */
  close(): Promise<void>
}

const NO_SPAN: OpenSpan = { rename() {}, set() {} }

/** Records nothing and costs a call. */
export const NO_TRACING: Tracing = {
  span: (_kind, _name, work) => work(NO_SPAN),
  close: async () => {},
}

/**
 * Traces to the collector at `endpoint`; without one nothing of OpenTelemetry is loaded.
 * @param role `service.name` is `tesp-<role>`
 */
export async function startTracing(role: string, endpoint: string | undefined): Promise<Tracing> {
  if (!endpoint) return NO_TRACING
  const { otlpTracing } = await import('./otlp-tracing.ts')
  return otlpTracing(role, endpoint)
}
