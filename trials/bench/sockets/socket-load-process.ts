import type { Socket } from 'node:net'
import { openLeanSocket } from './lean-socket.ts'
import { epochMs, type LoadCommand, type LoadReport } from './socket-load.ts'

// Started by socket-load.ts: thousands of sockets in a process of their own.

/** Handshakes in flight. */
const CONCURRENT = 500

const sockets: Socket[] = []
/** Events received since the last command `count`, with the index of their socket. */
let arrivals: { socket: number; at: number }[] = []
let wanted = 0

const report = (message: LoadReport) => void process.send?.(message)

function openAll({ port, origin, cookies }: Extract<LoadCommand, { kind: 'open' }>): void {
  const startedAt = performance.now()
  let joined = 0
  const openNext = () => {
    const index = sockets.length
    const cookie = cookies[index]
    if (cookie === undefined) return
    const socket = openLeanSocket({
      port,
      origin,
      cookie,
      onJoin() {
        joined++
        if (joined === cookies.length) report({ kind: 'opened', ms: performance.now() - startedAt })
        else openNext()
      },
      onEvent() {
        arrivals.push({ socket: index, at: epochMs() })
        if (arrivals.length === wanted) report({ kind: 'received', at: epochMs() })
      },
      onClose: () => report({ kind: 'closed', socket: index }),
    })
    sockets.push(socket)
  }
  for (let i = 0; i < CONCURRENT; i++) openNext()
}

process.on('message', (command: LoadCommand) => {
  if (command.kind === 'open') openAll(command)
  if (command.kind === 'count') {
    arrivals = []
    wanted = command.events
    report({ kind: 'counting' })
  }
  if (command.kind === 'arrivals') report({ kind: 'arrivals', arrivals })
})
process.on('disconnect', () => process.exit())
