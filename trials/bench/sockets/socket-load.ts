import { fork } from 'node:child_process'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'

/** Milliseconds since 1970 with a fraction; comparable between processes of one machine. */
export const epochMs = () => performance.timeOrigin + performance.now()

export type Arrival = {
  /** Index of the socket in the order of the cookies. */
  socket: number
  /** `epochMs` at which its event was received as a whole. */
  at: number
}

export type LoadCommand =
  | { kind: 'open'; port: number; origin: string; cookies: string[] }
  | { kind: 'count'; events: number }
  | { kind: 'arrivals' }

export type LoadReport =
  | { kind: 'opened'; ms: number }
  | { kind: 'counting' }
  | { kind: 'received'; at: number }
  | { kind: 'arrivals'; arrivals: Arrival[] }
  | { kind: 'closed'; socket: number }

/** Sockets in a process of their own, so that they share no event loop with what is measured. */
export type SocketLoad = {
  /** Opens a socket for each cookie; resolves to the time until all have joined, ms. */
  open(target: { port: number; origin: string; cookies: string[] }): Promise<number>
  /**
   * Starts to count events anew.
   * @returns a function that waits until this many were received and resolves to when that was, `epochMs`
   */
  count(events: number): Promise<() => Promise<number>>
  /** The events received since `count`. */
  arrivals(): Promise<Arrival[]>
  /** Closes all sockets. */
  stop(): void
}

export function startSocketLoad(): SocketLoad {
  const child = fork(path.join(ROOT, 'trials/bench/sockets/socket-load-process.ts'), {
    cwd: ROOT,
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  })
  let isStopped = false
  const next = <K extends LoadReport['kind']>(kind: K) =>
    new Promise<Extract<LoadReport, { kind: K }>>((resolve, reject) => {
      const listen = (report: LoadReport) => {
        if (report.kind === 'closed' && !isStopped) reject(new Error('the server closed a socket'))
        if (report.kind !== kind) return
        child.off('message', listen)
        resolve(report as Extract<LoadReport, { kind: K }>)
      }
      child.on('message', listen)
    })
  const send = (command: LoadCommand) => void child.send(command)
  return {
    async open(target) {
      const opened = next('opened')
      send({ kind: 'open', ...target })
      return (await opened).ms
    },
    async count(events) {
      const received = next('received')
      // A round that ends before all events came leaves this promise behind.
      received.catch(() => {})
      const counting = next('counting')
      send({ kind: 'count', events })
      await counting
      return async () => (await received).at
    },
    async arrivals() {
      const answer = next('arrivals')
      send({ kind: 'arrivals' })
      return (await answer).arrivals
    },
    stop() {
      isStopped = true
      child.kill('SIGKILL')
    },
  }
}
