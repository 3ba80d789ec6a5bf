import { Gauge, type Registry } from 'prom-client'
import { metricsIn } from '#runtime/monitoring/registry'

/** The largest value of the last one to two windows; 0 without a value. */
export class RecentMaximum {
  private current = 0
  private previous = 0
  private startedAt: number

  constructor(
    private readonly windowMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.startedAt = now()
  }

  add(value: number): void {
    this.turn()
    this.current = Math.max(this.current, value)
  }

  get value(): number {
    this.turn()
    return Math.max(this.current, this.previous)
  }

  private turn(): void {
    const windows = Math.floor((this.now() - this.startedAt) / this.windowMs)
    if (windows === 0) return
    this.previous = windows === 1 ? this.current : 0
    this.current = 0
    this.startedAt += windows * this.windowMs
  }
}

const SLOWEST_PUSH_MS = 60_000
/** Seconds; a change usually takes milliseconds, and a poll shows it after 5 s. */
const DELAY_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

export function gatewayMetrics(registry: Registry) {
  const { counter, seconds } = metricsIn(registry)
  return {
    requestSeconds: seconds(
      'http_request_seconds',
      'Time from a request to its answer; files and unknown paths are the route other',
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      ['route', 'status'],
    ),
    polls: counter(
      'polls_total',
      'Answered polls of status and wallet, by what decided them: memory or postgres',
      ['decided_by'],
    ),
    pushes: counter('pushes_total', 'Events with changed figures that were written to sockets'),
    changeDelay: seconds(
      'change_delay_seconds',
      'Time from the publication of a change to its arrival at this gateway',
      DELAY_BUCKETS,
    ),
    pushDelay: seconds(
      'push_delay_seconds',
      'Time from the publication of a change to its pushes, the oldest change of each batch',
      DELAY_BUCKETS,
    ),
    /** The longest of these delays in the last minute or two, for the status page. */
    slowestPush: new RecentMaximum(SLOWEST_PUSH_MS),
    handshakes: counter(
      'socket_handshakes_total',
      'Handshakes of sockets: accepted, or the code of the rejection',
      ['outcome'],
    ),
    socketsOpen: new Gauge({
      name: 'sockets_open',
      help: 'Open sockets of this process',
      registers: [registry],
    }),
  }
}
