import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#db/engine/connect'
import { setClockSpeed } from '#db/postgres/connection/product-clock'
import { readConfig } from '#runtime/config/config'
import { freePorts } from '#runtime/config/free-port'
import { buildRoles } from '#scripts/build/build-roles'
import { type Role, type RoleProcess, roleEnv, roleProcess } from '#scripts/testing/db/role-process'
import type { ServedProduct } from '#scripts/testing/gateway/product'
import type { Place } from './servers.ts'

const READY_LIMIT_MS = 60_000

class StageProcess {
  private process: RoleProcess | undefined
  /** Whether the test ended it, so that its exit is expected. */
  private isStopped = true

  constructor(
    readonly role: Role,
    private readonly env: NodeJS.ProcessEnv,
    private root?: string,
  ) {}

  async start(): Promise<void> {
    const started = roleProcess(this.role, this.env, { root: this.root })
    this.process = started
    this.isStopped = false
    const timeout = sleep(READY_LIMIT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${this.role} was not ready in time: ${started.output()}`)
    })
    await Promise.race([started.ready, timeout])
  }

  /** Returns the exit code, or the signal that ended it. */
  async stop(signal: NodeJS.Signals): Promise<number | string | undefined> {
    this.isStopped = true
    this.process?.kill(signal)
    return this.process?.ended
  }

  /** Restarts gracefully with changed settings, or as the release in `root`. Returns the first exit code. */
  async restart(
    change: NodeJS.ProcessEnv,
    root: string | undefined = this.root,
  ): Promise<number | string | undefined> {
    const code = await this.stop('SIGTERM')
    Object.assign(this.env, change)
    this.root = root
    await this.start()
    return code
  }

  get pid(): number {
    return this.process?.pid ?? 0
  }

  output(): string {
    return this.process?.output() ?? ''
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.isStopped) this.process?.kill(signal)
  }

  /** Exit code and output if the process ended by itself. */
  async unexpectedExit(): Promise<string | undefined> {
    const { role, process } = this
    if (this.isStopped || !process) return undefined
    return Promise.race([
      process.ended.then((code) => `${role} exited with ${code}: ${process.output()}`),
      new Promise<undefined>((resolve) => setImmediate(resolve, undefined)),
    ])
  }
}

type StageOptions = {
  gateways?: number
  workers?: number
  /** Speed of product time; 1 is real time. */
  speed?: number
  /** Settings of every process, in addition to servers and secrets. */
  env?: NodeJS.ProcessEnv
  /** Another checkout, whose roles are built. */
  root?: string
}

/** A whole product as operators run it: every gateway and every workers in its own process. */
export class Stage {
  readonly workers: StageProcess[] = []
  private readonly gateways: StageProcess[]

  private constructor(
    /** For `Visitor`; its gateways are the processes of this stage. */
    readonly product: ServedProduct,
    readonly ports: number[],
    readonly env: NodeJS.ProcessEnv,
    private readonly root?: string,
  ) {
    this.gateways = ports.map((port) => {
      return new StageProcess('gateway', { ...env, PORT: `${port}` }, root)
    })
  }

  static async start(
    place: Place,
    { gateways = 2, workers = 1, speed = 1, env: settings, root }: StageOptions = {},
  ): Promise<Stage> {
    if (root === undefined) await buildRoles()
    const env = {
      ...roleEnv({ ...place, databaseUrl: place.url }, place.secrets),
      OTP_PER_ADDRESS_HOUR: '100000',
      ...settings,
    }
    const ports = await freePorts(gateways)
    const product: ServedProduct = {
      config: readConfig(env),
      db: connect(place.url, { max: 4, name: 'test', statementTimeoutMs: 0 }),
      urls: ports.map((port) => `http://127.0.0.1:${port}`),
    }
    const stage = new Stage(product, ports, env, root)
    product.errorOf = async (id) => {
      // The log arrives a little later than the answer.
      await sleep(1_000)
      const lines = stage.gateways.flatMap((one) => one.output().split('\n'))
      return lines.find((line) => line.includes(id) && line.includes('request failed'))
    }
    try {
      await setClockSpeed(product.db, speed)
      await Promise.all([
        ...stage.gateways.map((gateway) => gateway.start()),
        ...Array.from({ length: workers }, () => stage.startWorkers()),
      ])
    } catch (error) {
      await stage.stop()
      throw error
    }
    return stage
  }

  /** The gateway with this index; it always listens on the same port. */
  gateway(index: number): StageProcess {
    const gateway = this.gateways[index]
    if (!gateway) throw new RangeError(`this stage has no gateway ${index}`)
    return gateway
  }

  async startWorkers(): Promise<StageProcess> {
    const workers = new StageProcess('workers', { ...this.env }, this.root)
    this.workers.push(workers)
    await workers.start()
    return workers
  }

  /** Restarts one process after the other with changed settings, workers first, as the runbook does. */
  async roll(change: NodeJS.ProcessEnv): Promise<(number | string | undefined)[]> {
    Object.assign(this.env, change)
    const codes: (number | string | undefined)[] = []
    for (const one of [...this.workers, ...this.gateways]) codes.push(await one.restart(change))
    this.product.config = readConfig(this.env)
    return codes
  }

  get processes(): StageProcess[] {
    return [...this.gateways, ...this.workers]
  }

  async unexpectedExits(): Promise<string[]> {
    const exits = await Promise.all(this.processes.map((one) => one.unexpectedExit()))
    return exits.filter((exit) => exit !== undefined)
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.stop('SIGKILL')))
    await this.product.db.destroy()
  }
}
