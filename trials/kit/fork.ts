import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'

type Calls = Record<string, (...args: never[]) => unknown>
type Call = { id: number; name: string; args: unknown[] }
type Reply = { id: number; value?: unknown; error?: string }

/** Answers the calls of the parent process with these functions; the module was started by `Forked`. */
export function serve(calls: Calls): void {
  process.on('message', async ({ id, name, args }: Call) => {
    let reply: Reply
    try {
      const call = calls[name] as (...args: unknown[]) => unknown
      reply = { id, value: await call(...args) }
    } catch (error) {
      reply = { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
    process.send?.(reply)
  })
  process.once('disconnect', () => process.exit())
}

/** A TypeScript module in a child process; `C` are the functions that it passes to `serve`. */
export class Forked<C extends Calls> {
  private readonly child: ChildProcess
  private readonly waiting = new Map<number, (reply: Reply) => void>()
  private calls = 0

  /** @param file path below the root of the repository */
  constructor(
    private readonly file: string,
    { env, flags = [] }: { env?: NodeJS.ProcessEnv; flags?: string[] } = {},
  ) {
    this.child = fork(path.join(ROOT, file), {
      cwd: ROOT,
      execArgv: [...flags, '--import', 'tsx'],
      env: { ...process.env, ...env },
    })
    this.child.on('message', (reply: Reply) => this.waiting.get(reply.id)?.(reply))
    this.child.once('exit', () => {
      for (const [id, settle] of this.waiting) settle(this.ended(id))
    })
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** Calls a function of the child process, several at a time. @throws {Error} if it throws, or the process ends */
  async call<N extends keyof C & string>(
    name: N,
    ...args: Parameters<C[N]>
  ): Promise<Awaited<ReturnType<C[N]>>> {
    const id = ++this.calls
    const { value, error } = await new Promise<Reply>((resolve) => {
      this.waiting.set(id, resolve)
      if (this.child.connected) this.child.send({ id, name, args } satisfies Call)
      else resolve(this.ended(id))
    })
    this.waiting.delete(id)
    if (error !== undefined) throw new Error(`${name}: ${error}`)
    return value as Awaited<ReturnType<C[N]>>
  }

  end(): void {
    this.child.kill('SIGKILL')
  }

  private ended(id: number): Reply {
    return { id, error: `the process of ${this.file} has ended` }
  }
}
