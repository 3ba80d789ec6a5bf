import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#db/process/free-port'

/** How bad the network between browser and gateways is at this moment. */
export type Weather = {
  /** Each chunk waits that long, ms. */
  latencyMs: number
  /** Share of chunks that are lost at first and come when TCP has sent them again, 0…1. */
  loss: number
  /** Nothing passes, nothing is refused: the link is dead without a word. */
  silent: boolean
  /** What is sent arrives, but no answer comes back. */
  deaf: boolean
  /** New connections are refused. */
  refusing: boolean
  /** WebSockets are refused, as by the proxies of some companies; HTTP passes. */
  blocking: boolean
}

/** A WebSocket that was asked for: when, real ms, through which gateway, and whether it stands. */
export type Upgrade = { at: number; port: number; open: boolean }

const FINE: Weather = {
  ...{ latencyMs: 0, loss: 0 },
  ...{ silent: false, deaf: false, refusing: false, blocking: false },
}
/** TCP sends a lost segment again after about that time, and doubles it. */
const RESEND_MS = 300
const REFUSAL = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** One direction of a connection. */
type Lane = {
  from: net.Socket
  to: net.Socket
  /** Whether what was sent now is lost for good. */
  swallows(weather: Weather): boolean
  count(bytes: number): void
}

/** Shared by both directions: a stream that lost something carries nothing more, like one behind a NAT that forgot it. */
type Fate = { dead: boolean }

/** Passes chunks on in their order, each not before its own delay. */
function pass({ from, to, swallows, count }: Lane, fate: Fate, weather: () => Weather) {
  let before: Promise<unknown> = Promise.resolve()
  const isLost = () => {
    fate.dead ||= swallows(weather())
    return fate.dead
  }
  /** In turn: timers alone may change places by a millisecond, and a stream would be garbled. */
  const after = (waitMs: number, then: () => void) => {
    const until = Date.now() + waitMs
    before = before.then(() => sleep(Math.max(0, until - Date.now()))).then(then)
  }
  from.on('data', (chunk) => {
    count(chunk.length)
    if (isLost()) return
    const { latencyMs, loss } = weather()
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

/**
 * A small TCP proxy in front of one or several gateways that drops, delays and cuts: the mobile
 * network of the tests, and the load balancer behind it. It also counts what passes.
 */
export class ChaosProxy {
  readonly bytes = { up: 0, down: 0 }
  readonly upgrades: Upgrade[] = []
  connections = 0
  private weather = FINE
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

  /** From now on new connections go to these ports, in turn. */
  route(targets: number[]): void {
    this.targets = targets
  }

  /** Changes the weather; what is not named becomes fine again. */
  set(weather: Partial<Weather>): void {
    this.weather = { ...FINE, ...weather }
  }

  /** Cuts everything that is connected, as a lost cell does. */
  cut(): void {
    for (const socket of this.open) socket.destroy()
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private keep(socket: net.Socket): void {
    this.open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.once('close', () => this.open.delete(socket))
  }

  private accept(client: net.Socket): void {
    this.keep(client)
    if (this.weather.refusing) return void client.destroy()
    this.connections++
    const first = this.next++ % this.targets.length
    this.reach(client, [...this.targets.slice(first), ...this.targets.slice(0, first)])
  }

  /** A gateway that is gone is passed over. */
  private reach(client: net.Socket, [target, ...others]: number[]): void {
    if (target === undefined) return void client.destroy()
    const gateway = net.connect(target, '127.0.0.1')
    const passOver = () => this.reach(client, others)
    gateway.once('error', passOver)
    gateway.once('connect', () => {
      gateway.off('error', passOver)
      this.keep(gateway)
      this.join(client, gateway, target)
    })
  }

  private join(client: net.Socket, gateway: net.Socket, port: number): void {
    client.once('data', (chunk) => {
      if (!/\r\nupgrade: *websocket\r\n/i.test(chunk.toString('latin1'))) return
      const upgrade = { at: Date.now(), port, open: !this.weather.blocking }
      this.upgrades.push(upgrade)
      client.once('close', () => {
        upgrade.open = false
      })
      if (upgrade.open) return
      gateway.destroy()
      client.end(REFUSAL)
    })
    const fate = { dead: false }
    const weather = () => this.weather
    const up = (bytes: number) => {
      this.bytes.up += bytes
    }
    const down = (bytes: number) => {
      this.bytes.down += bytes
    }
    const mute = ({ silent }: Weather) => silent
    const deaf = ({ silent, deaf }: Weather) => silent || deaf
    pass({ from: client, to: gateway, swallows: mute, count: up }, fate, weather)
    pass({ from: gateway, to: client, swallows: deaf, count: down }, fate, weather)
    // Whoever is no longer there keeps nothing open.
    client.once('close', () => fate.dead && gateway.destroy())
  }
}
