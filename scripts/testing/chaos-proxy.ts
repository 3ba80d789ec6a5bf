import net from 'node:net'
import { freePort } from '#scripts/embedded/free-port'

/** How bad the network between browser and gateways is at this moment. */
export type Weather = {
  /** Each chunk waits that long, ms. */
  latencyMs: number
  /** Share of chunks that are lost at first and come when TCP has sent them again, 0…1. */
  loss: number
  /** Nothing passes, nothing is refused: the link is dead without a word. */
  silent: boolean
  /** New connections are refused. */
  refusing: boolean
}

const FINE: Weather = { latencyMs: 0, loss: 0, silent: false, refusing: false }
/** TCP sends a lost segment again after about that time, and doubles it. */
const RESEND_MS = 300

/** Passes chunks on in their order, each not before its own delay. */
function pass(
  from: net.Socket,
  to: net.Socket,
  weather: () => Weather,
  count: (n: number) => void,
) {
  let freeAt = 0
  from.on('data', (chunk) => {
    const { latencyMs, loss, silent } = weather()
    count(chunk.length)
    if (silent) return
    let wait = latencyMs
    for (let resend = RESEND_MS; Math.random() < loss && resend < 10_000; resend *= 2) {
      wait += resend
    }
    freeAt = Math.max(freeAt, Date.now() + wait)
    setTimeout(() => to.writable && to.write(chunk), freeAt - Date.now())
  })
  from.on('end', () => setTimeout(() => to.end(), Math.max(0, freeAt - Date.now())))
  from.on('close', () => setTimeout(() => to.destroy(), Math.max(0, freeAt - Date.now()) + 50))
  from.on('error', () => to.destroy())
}

/**
 * A small TCP proxy in front of one or several gateways that drops, delays and cuts: the mobile
 * network of the tests. It also counts what passes.
 */
export class ChaosProxy {
  readonly bytes = { up: 0, down: 0 }
  connections = 0
  private weather = FINE
  private next = 0
  private readonly open = new Set<net.Socket>()
  private readonly server = net.createServer((client) => this.connect(client))

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

  private connect(client: net.Socket): void {
    const target = this.targets[this.next++ % this.targets.length]
    if (this.weather.refusing || target === undefined) return void client.destroy()
    this.connections++
    const gateway = net.connect(target, '127.0.0.1')
    for (const socket of [client, gateway]) {
      this.open.add(socket)
      socket.setNoDelay(true)
      socket.once('close', () => this.open.delete(socket))
    }
    const weather = () => this.weather
    pass(client, gateway, weather, (n) => {
      this.bytes.up += n
    })
    pass(gateway, client, weather, (n) => {
      this.bytes.down += n
    })
  }
}
