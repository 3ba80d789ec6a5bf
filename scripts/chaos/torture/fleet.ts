import { setTimeout as sleep } from 'node:timers/promises'
import { type RoleProcess, roleProcess } from '#db/testing/role-process'
import type { Random } from './random.ts'

const READY_LIMIT_MS = 30_000

/** One process of the product that is started again whenever it was ended. */
class Role {
  private process: RoleProcess | undefined

  constructor(
    private readonly role: 'gateway' | 'workers',
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  async start(): Promise<void> {
    const started = roleProcess(this.role, this.env)
    this.process = started
    const late = sleep(READY_LIMIT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${this.role} was not ready in time`)
    })
    await Promise.race([started.ready, late])
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    await this.process?.end(signal)
  }

  signal(signal: NodeJS.Signals): void {
    this.process?.kill(signal)
  }
}

/** What was done to the processes, by its name. */
export type Blows = Record<string, number>

/** Gateways on these ports and as many workers, and somebody who keeps hitting them. */
export class Fleet {
  readonly blows: Blows = {}
  private readonly roles: Role[]
  private striking = false
  private strikes: Promise<void> = Promise.resolve()

  constructor(ports: number[], workers: number, env: NodeJS.ProcessEnv) {
    const gateways = ports.map((port) => new Role('gateway', { ...env, PORT: String(port) }))
    this.roles = [...gateways, ...Array.from({ length: workers }, () => new Role('workers', env))]
  }

  async start(): Promise<void> {
    await Promise.all(this.roles.map((role) => role.start()))
  }

  /** Kills, ends or freezes one process after another until `rest` is called. */
  strike(random: Random): void {
    this.striking = true
    this.strikes = this.strikeOn(random)
  }

  async rest(): Promise<void> {
    this.striking = false
    await this.strikes
  }

  async stop(): Promise<void> {
    await this.rest()
    await Promise.all(this.roles.map((role) => role.end('SIGTERM')))
  }

  private async strikeOn(random: Random): Promise<void> {
    while (this.striking) {
      await sleep(random.between(1_000, 3_000))
      const role = random.pick(this.roles)
      const blow = random.pick(['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGSTOP'] as const)
      this.blows[blow] = (this.blows[blow] ?? 0) + 1
      if (blow === 'SIGSTOP') {
        role.signal('SIGSTOP')
        await sleep(random.between(500, 4_000))
        role.signal('SIGCONT')
      } else {
        await role.end(blow)
        await role.start()
      }
    }
  }
}
