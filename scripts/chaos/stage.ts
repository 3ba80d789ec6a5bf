import { connect } from '#db/postgres/connect'
import { setClockSpeed } from '#db/postgres/product-clock'
import type { Secrets } from '#db/process/config'
import { readConfig } from '#db/process/config'
import { freePort } from '#db/process/free-port'
import { type TestDatabase, testSecrets } from '#db/testing/database'
import { type RoleProcess, roleProcess } from '#db/testing/role-process'
import type { Product } from '#gateway/testing/product'

type Options = {
  gateways?: number
  workers?: number
  /** Speed of product time. */
  speed?: number
  /** Absent, those of the test run. */
  secrets?: Secrets
  /** Settings of every process, beside those of the place. */
  env?: NodeJS.ProcessEnv
}

/** One process of the product on a stage, and whether somebody ended it on purpose. */
type Actor = { role: 'gateway' | 'workers'; port: number; process: RoleProcess; wanted: boolean }

/** A whole product as operators run it: each gateway and each workers a process of its own. */
export class Stage {
  private readonly actors: Actor[] = []

  private constructor(
    /** For the visitors of the tests; its gateways are these processes. */
    readonly product: Product,
    readonly ports: number[],
    /** Settings of all its processes. */
    readonly env: NodeJS.ProcessEnv,
  ) {}

  static async set(place: TestDatabase, options: Options = {}): Promise<Stage> {
    const { gateways = 2, workers = 1, speed = 1, env = {} } = options
    const secrets = options.secrets ?? testSecrets()
    const all: NodeJS.ProcessEnv = {
      ...{ ...secrets, DATABASE_URL: place.url, DATABASE_POOL: '4', LOG_LEVEL: 'info' },
      ...{ REDIS_URL: place.redisUrl, REDIS_PREFIX: place.redisPrefix },
      ...{ OTP_PER_ADDRESS_HOUR: '100000', ...env },
    }
    const db = connect(place.url, { max: 4, name: 'test', statementTimeoutMs: 0 })
    await setClockSpeed(db, speed)
    const ports = await Promise.all(Array.from({ length: gateways }, freePort))
    const product: Product = {
      ...{ config: readConfig(all), db, urls: ports.map((port) => `http://127.0.0.1:${port}`) },
      startWorkers: async () => ({ close: async () => {} }),
      close: async () => {},
    }
    const stage = new Stage(product, ports, all)
    const starts = [
      ...ports.map((_, n) => stage.startGateway(n)),
      ...Array.from({ length: workers }, () => stage.startWorkers()),
    ]
    await Promise.all(starts).catch(async (error) => {
      await stage.stop()
      throw error
    })
    return stage
  }

  /** Starts the gateway of that number, at the port that it always has. */
  startGateway(n: number): Promise<void> {
    const port = this.ports[n] ?? 0
    return this.start('gateway', port, { ...this.env, PORT: String(port) })
  }

  startWorkers(): Promise<void> {
    return this.start('workers', 0, this.env)
  }

  /** Ends a gateway; nobody starts it again but the test. */
  async endGateway(n: number, signal: NodeJS.Signals): Promise<void> {
    const actor = this.actors.find(({ port, wanted }) => port === this.ports[n] && !wanted)
    if (!actor) throw new Error(`gateway ${n} does not run`)
    actor.wanted = true
    await actor.process.end(signal)
  }

  /** Sends a signal to every process that runs. */
  signal(signal: NodeJS.Signals): void {
    for (const { process, wanted } of this.actors) if (!wanted) process.kill(signal)
  }

  /** What became of the processes that nobody ended: empty where all of them live. */
  async deaths(): Promise<string[]> {
    const states = this.actors
      .filter(({ wanted }) => !wanted)
      .map(({ role, process }) =>
        Promise.race([
          process.ended.then((code) => `${role} ended with ${code}: ${process.said()}`),
          new Promise<undefined>((resolve) => setImmediate(resolve, undefined)),
        ]),
      )
    return (await Promise.all(states)).filter((state) => state !== undefined)
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    await Promise.all(this.actors.map(({ process }) => process.end('SIGKILL')))
    await this.product.db.destroy()
  }

  private async start(role: Actor['role'], port: number, env: NodeJS.ProcessEnv): Promise<void> {
    const process = roleProcess(role, env)
    this.actors.push({ role, port, process, wanted: false })
    await process.ready
  }
}
