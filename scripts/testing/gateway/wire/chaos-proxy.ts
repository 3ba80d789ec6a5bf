import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#runtime/config/free-port'

type Conditions = {
  latencyMs?: number
  /** Share of chunks that arrive only after a TCP retransmission, 0…1. */
  loss?: number
  /** Nothing is delivered in either direction and no connection is refused: a dead link. */
  silent?: boolean
  /** Requests are delivered, responses are not. */
  deaf?: boolean
  refusing?: boolean
  /** WebSocket handshakes are refused, as by some company proxies; HTTP passes. */
  blocking?: boolean
}

/** A WebSocket handshake; `at` is real time in ms, `port` that of its gateway. */
type Upgrade = { at: number; port: number; open: boolean }

/** First TCP retransmission timeout; each further one doubles it. */
const RESEND_MS = 300
const REFUSAL = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** One direction of a connection; `drops` says whether what is sent now is never delivered. */
type Direction = {
  from: net.Socket
  to: net.Socket
  drops(conditions: Conditions): boolean | undefined
}

/** Shared by both directions. A stream with a gap delivers nothing more, as after a NAT timeout. */
type LinkState = { dead: boolean }

function forward({ from, to, drops }: Direction, link: LinkState, conditions: () => Conditions) {
  let before: Promise<unknown> = Promise.resolve()
  const isLost = () => {
    link.dead ||= drops(conditions()) ?? false
    return link.dead
  }
  /** Queued, because timers can fire in another order within a millisecond and garble the stream. */
  const after = (waitMs: number, then: () => void) => {
    const until = Date.now() + waitMs
    before = before.then(() => sleep(Math.max(0, until - Date.now()))).then(then)
  }
  from.on('data', (chunk) => {
    if (isLost()) return
    const { latencyMs = 0, loss = 0 } = conditions()
    let wait = latencyMs
    for (let resend = RESEND_MS; Math.random() < loss && resend < 10_000; resend *= 2) {
      wait += resend
    }
    after(wait, () => to.writable && to.write(chunk))
  })
  from.on('end', () => isLost() || after(0, () => to.end()))
  from.on('close', () => isLost() || after(50, () => to.destroy()))
  from.on('error', () => isLost() || to.destroy())
}

/** A TCP proxy before gateways that delays, drops and cuts: a mobile network and a load balancer. */
export class ChaosProxy {
  readonly upgrades: Upgrade[] = []
  private conditions: Conditions = {}
  private next = 0
  private readonly open = new Set<net.Socket>()
  private readonly server = net.createServer((client) => this.accept(client))

  private constructor(
    readonly port: number,
    private targets: number[],
  ) {}

  static async start(targets: number[]): Promise<ChaosProxy> {
    const proxy = new ChaosProxy(await freePort(), targets)
    await new Promise<void>((resolve, reject) => {
      proxy.server.once('error', reject).listen(proxy.port, '127.0.0.1', resolve)
    })
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  route(targets: number[]): void {
    this.targets = targets
  }

  /** Sets the conditions; those not given return to healthy. */
  set(conditions: Conditions): void {
    this.conditions = conditions
  }

  cut(): void {
    for (const socket of this.open) socket.destroy()
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private track(socket: net.Socket): void {
    this.open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.once('close', () => this.open.delete(socket))
  }

  private accept(client: net.Socket): void {
    this.track(client)
    if (this.conditions.refusing) return void client.destroy()
    const first = this.next++ % this.targets.length
    this.connectTo(client, [...this.targets.slice(first), ...this.targets.slice(0, first)])
  }

  private connectTo(client: net.Socket, [target, ...others]: number[]): void {
    if (target === undefined) return void client.destroy()
    const gateway = net.connect(target, '127.0.0.1')
    const tryNext = () => this.connectTo(client, others)
    gateway.once('error', tryNext)
    gateway.once('connect', () => {
      gateway.off('error', tryNext)
      this.track(gateway)
      this.join(client, gateway, target)
    })
  }

  private join(client: net.Socket, gateway: net.Socket, port: number): void {
    this.watchUpgrade(client, gateway, port)
    const link = { dead: false }
    const conditions = () => this.conditions
    forward({ from: client, to: gateway, drops: ({ silent }) => silent }, link, conditions)
    const drops = ({ silent, deaf }: Conditions) => silent || deaf
    forward({ from: gateway, to: client, drops }, link, conditions)
    // A dead link forwards no close, so the gateway's end would stay open.
    client.once('close', () => link.dead && gateway.destroy())
  }

  /** Records a WebSocket handshake, and refuses it if handshakes are blocked. */
  private watchUpgrade(client: net.Socket, gateway: net.Socket, port: number): void {
    client.once('data', (chunk) => {
      if (!/\r\nupgrade: *websocket\r\n/i.test(chunk.toString('latin1'))) return
      const upgrade = { at: Date.now(), port, open: !this.conditions.blocking }
      this.upgrades.push(upgrade)
      client.once('close', () => {
        upgrade.open = false
      })
      if (upgrade.open) return
      gateway.destroy()
      client.end(REFUSAL)
    })
  }
}
