import { connect } from '#db/postgres/connection/connect'
import { setClockSpeed } from '#db/postgres/connection/product-clock'
import type { TestDatabase } from '#db/testing/database'
import { roleEnv } from '#db/testing/role-process'
import type { Product } from '#gateway/testing/product'
import { readConfig, type Secrets } from '#runtime/config/config'
import { freePort } from '#runtime/config/free-port'
import { loggedError } from '#runtime/process/logged-error'
import { buildRoles } from '#scripts/build/build-roles'
import { StageProcess } from './stage-process.ts'

type StageOptions = {
  gateways?: number
  workers?: number
  /** Speed of product time; 1 is real time. */
  speed?: number
  /** Default: the secrets of the test run. */
  secrets?: Secrets
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
    readonly product: Product,
    readonly ports: number[],
    /** Settings of all processes. */
    readonly env: NodeJS.ProcessEnv,
    private readonly root?: string,
  ) {
    this.gateways = ports.map((port) => {
      return new StageProcess('gateway', { ...env, PORT: `${port}` }, root)
    })
  }

  /** Starts all processes on this database and Redis prefix; if one fails, stops the others. */
  static async start(
    place: Omit<TestDatabase, 'drop'>,
    { gateways = 2, workers = 1, speed = 1, secrets, env: settings, root }: StageOptions = {},
  ): Promise<Stage> {
    if (root === undefined) await buildRoles()
    const env = {
      ...roleEnv({ ...place, databaseUrl: place.url }, secrets),
      OTP_PER_ADDRESS_HOUR: '100000',
      ...settings,
    }
    const ports = await Promise.all(Array.from({ length: gateways }, freePort))
    const product: Product = {
      config: readConfig(env),
      db: connect(place.url, { max: 4, name: 'test', statementTimeoutMs: 0 }),
      urls: ports.map((port) => `http://127.0.0.1:${port}`),
      registries: [],
      startWorkers: async () => ({ close: async () => {} }),
      close: async () => {},
    }
    const stage = new Stage(product, ports, env, root)
    product.errorOf = (id) => loggedError(() => stage.gateways.map((one) => one.output()), id)
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

  /** Starts one more workers process. */
  async startWorkers(): Promise<StageProcess> {
    const workers = new StageProcess('workers', { ...this.env }, this.root)
    this.workers.push(workers)
    await workers.start()
    return workers
  }

  /** Restarts one process after the other with changed settings, as in a rolling restart. */
  async roll(change: NodeJS.ProcessEnv): Promise<void> {
    Object.assign(this.env, change)
    for (const one of this.processes) await one.restart(change)
    this.product.config = readConfig(this.env)
  }

  /** Every process of this stage, including those that were stopped. */
  get processes(): StageProcess[] {
    return [...this.gateways, ...this.workers]
  }

  /** Exit codes and outputs of the processes that ended by themselves. */
  async unexpectedExits(): Promise<string[]> {
    const exits = await Promise.all(this.processes.map((one) => one.unexpectedExit()))
    return exits.filter((exit) => exit !== undefined)
  }

  /** Kills every process and closes the database pool. */
  async stop(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.stop('SIGKILL')))
    await this.product.db.destroy()
  }
}
