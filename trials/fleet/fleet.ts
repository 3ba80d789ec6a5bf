import type { Role } from '#db/testing/role-process'
import { freePort } from '#runtime/config/free-port'
import { ChaosProxy } from '#trials/kit/chaos-proxy'
import { Stage, StageProcess } from '#trials/kit/stage'
import { figureOf } from './figure-of.ts'

type Place = Parameters<typeof Stage.start>[0]
type Options = Parameters<typeof Stage.start>[1]

/** One gateway or workers process and its ports; a gateway's `port` serves members. */
type Member = { process: StageProcess; port: number; metricsPort: number }

/** Gateways behind a TCP round robin and workers, of which more are started and stopped in use. */
export class Fleet {
  private readonly running: Record<Role, Member[]> = { gateway: [], workers: [] }
  private readonly all: StageProcess[] = []

  private constructor(
    readonly stage: Stage,
    private readonly proxy: ChaosProxy,
  ) {}

  /** A fleet without processes; members reach its gateways through one address. */
  static async start(place: Place, options: Options): Promise<Fleet> {
    const stage = await Stage.start(place, { ...options, gateways: 0, workers: 0 })
    const proxy = await ChaosProxy.start([])
    stage.product.urls = [proxy.url]
    return new Fleet(stage, proxy)
  }

  /** The address of the round robin. */
  get url(): string {
    return this.proxy.url
  }

  count(role: Role): number {
    return this.running[role].length
  }

  /** Process ids of the running processes of a role. */
  pids(role: Role): number[] {
    return this.running[role].map(({ process }) => process.pid)
  }

  /**
   * Starts or stops processes at the same time until `count` run, the oldest first. The round robin
   * leaves a gateway out before it is terminated, and notices a killed one by its refusals.
   */
  async scale(role: Role, count: number, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const running = this.running[role]
    const missing = Array.from({ length: Math.max(0, count - running.length) })
    running.push(...(await Promise.all(missing.map(() => this.begin(role)))))
    const surplus = running.splice(0, running.length - count)
    if (signal === 'SIGTERM') this.route()
    await Promise.all(surplus.map(({ process }) => process.stop(signal)))
    this.route()
  }

  /** A metric of each running process, in the order of their start; undefined if it cannot be read. */
  figures(role: Role, metric: string): Promise<(number | undefined)[]> {
    return Promise.all(
      this.running[role].map(({ metricsPort }) =>
        figureOf(metricsPort, metric).catch(() => undefined),
      ),
    )
  }

  /** Exit codes and outputs of the processes that ended by themselves. */
  async unexpectedExits(): Promise<string[]> {
    const exits = await Promise.all(this.all.map((process) => process.unexpectedExit()))
    return exits.filter((exit) => exit !== undefined)
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((process) => process.stop('SIGKILL')))
    await this.proxy.close()
    await this.stage.stop()
  }

  private async begin(role: Role): Promise<Member> {
    const [port, metricsPort] = await Promise.all([freePort(), freePort()])
    const ports =
      role === 'gateway'
        ? { PORT: `${port}`, METRICS_PORT: `${metricsPort}` }
        : { WORKERS_PORT: `${metricsPort}` }
    const process = new StageProcess(role, { ...this.stage.env, ...ports })
    this.all.push(process)
    await process.start()
    return { process, port, metricsPort }
  }

  private route(): void {
    this.proxy.route(this.running.gateway.map(({ port }) => port))
  }
}
