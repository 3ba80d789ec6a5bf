import { setTimeout as sleep } from 'node:timers/promises'
import { type Role, type RoleProcess, roleProcess } from '#db/testing/role-process'

const READY_LIMIT_MS = 60_000

/** One process of a stage; it can be stopped and started again with the same settings. */
export class StageProcess {
  private process: RoleProcess | undefined
  /** Whether the test ended it, so that its exit is expected. */
  private isStopped = true

  constructor(
    readonly role: Role,
    private readonly env: NodeJS.ProcessEnv,
    private readonly root?: string,
  ) {}

  /** Starts the process and waits until it serves, at most one minute. */
  async start(): Promise<void> {
    const started = roleProcess(this.role, this.env, this.root)
    this.process = started
    this.isStopped = false
    const timeout = sleep(READY_LIMIT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${this.role} was not ready in time: ${started.output()}`)
    })
    await Promise.race([started.ready, timeout])
  }

  /** Ends the process on purpose. Returns its exit code, or the signal that ended it. */
  async stop(signal: NodeJS.Signals): Promise<number | string | undefined> {
    this.isStopped = true
    this.process?.kill(signal)
    return this.process?.ended
  }

  /** Stops the process gracefully and starts it with changed settings, as operators do. */
  async restart(change: NodeJS.ProcessEnv): Promise<void> {
    await this.stop('SIGTERM')
    Object.assign(this.env, change)
    await this.start()
  }

  /** Id of the running or last process; 0 if none was started. */
  get pid(): number {
    return this.process?.pid ?? 0
  }

  /** What the running or last process printed. */
  output(): string {
    return this.process?.output() ?? ''
  }

  /** Sends a signal that is not meant to end the process: SIGSTOP, SIGCONT, SIGUSR2. */
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
