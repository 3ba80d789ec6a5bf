import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import type { MembersOptions, Order, OrderName, Orders, Result } from './protocol.ts'

/** Members in a process of their own, which trusts the certificates of the proxy. */
export class Members {
  private readonly child: ChildProcess
  private readonly waiting = new Map<number, (result: Result) => void>()
  private orders = 0

  constructor(options: MembersOptions, certificateAuthority: string) {
    this.child = fork(path.join(ROOT, 'trials/containers/members/members-process.ts'), {
      cwd: ROOT,
      execArgv: ['--import', 'tsx'],
      env: {
        ...process.env,
        // Node reads it once, at its start.
        NODE_EXTRA_CA_CERTS: certificateAuthority,
        MEMBERS_OPTIONS: JSON.stringify(options),
      },
    })
    this.child.on('message', (result: Result) => this.waiting.get(result.id)?.(result))
    this.child.once('exit', (code) => {
      for (const settle of this.waiting.values()) {
        settle({ id: 0, error: `the process of the members exited with ${code}` })
      }
    })
  }

  /** Sends an order and waits for its result. */
  async do<N extends OrderName>(
    name: N,
    ...args: Parameters<Orders[N]>
  ): Promise<ReturnType<Orders[N]>> {
    const order: Order = { id: ++this.orders, name, args }
    const result = await new Promise<Result>((resolve) => {
      this.waiting.set(order.id, resolve)
      this.child.send(order)
    })
    this.waiting.delete(order.id)
    if (result.error !== undefined) throw new Error(`${name}: ${result.error}`)
    return result.value as ReturnType<Orders[N]>
  }

  end(): void {
    this.child.kill('SIGKILL')
  }
}
