import type { Cause } from '#runtime/logging/request-id'

/** What a span stands for, in the words of OpenTelemetry. */
export type SpanKind = 'server' | 'consumer' | 'internal'

type OpenSpan = {
  cause: Cause
  rename(name: string): void
  set(attributes: Record<string, string | number>): void
  /** Marks the span as failed; a rejection of its work does it, too. */
  fail(): void
}

/** Records the operations of a process as spans of traces. */
export type Tracing = {
  /** Runs `work` as a child of the span that caused it; a rejection marks the span as failed. */
  span<T>(
    kind: SpanKind,
    name: string,
    cause: Cause,
    work: (span: OpenSpan) => Promise<T>,
  ): Promise<T>
  /** Sends what is left. */
  close(): Promise<void>
}

/** Records nothing and costs a call. */
export const NO_TRACING: Tracing = {
  span: (_kind, _name, cause, work) => work({ cause, rename() {}, set() {}, fail() {} }),
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
