import net from 'node:net'
import { freePort } from '#runtime/config/free-port'

/** A proxy before Redis that can lose what Redis sends to subscribers, and withhold its answers. */
export type LossyRedis = {
  url: string
  port: number
  sockets: ReadonlySet<net.Socket>
  /** While true, subscribers receive nothing; their connections stay open. All else passes. */
  losing: boolean
  /** Withholds all answers, as a frozen server does, until `thaw`. */
  freeze(): void
  thaw(): void
  /** Passes nothing any more on the current connections, without closing them; new ones are served. */
  silence(): void
  /** Closes every connection; clients reconnect. */
  cut(): void
  close(): Promise<void>
}

/** Starts the proxy before the Redis at `redisUrl`. */
export async function lossyRedis(redisUrl: string): Promise<LossyRedis> {
  const target = new URL(redisUrl)
  const sockets = new Set<net.Socket>()
  const servers = new Set<net.Socket>()
  let isFrozen = false
  const track = (socket: net.Socket, other: () => net.Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      other().destroy()
    })
  }
  const server = net.createServer((client) => {
    const redis = net.connect(Number(target.port), target.hostname)
    let isSubscriber = false
    servers.add(redis)
    redis.once('close', () => servers.delete(redis))
    track(client, () => redis)
    track(redis, () => client)
    client.on('data', (chunk) => {
      isSubscriber ||= chunk.includes('\r\nsubscribe\r\n')
      redis.write(chunk)
    })
    redis.on('data', (chunk) => {
      if (!(isSubscriber && proxy.losing)) client.write(chunk)
    })
    if (isFrozen) redis.pause()
  })
  const port = await freePort()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const url = new URL(redisUrl)
  url.host = `127.0.0.1:${port}`
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const proxy: LossyRedis = {
    url: url.href,
    port,
    sockets,
    losing: false,
    freeze() {
      isFrozen = true
      for (const server of servers) server.pause()
    },
    thaw() {
      isFrozen = false
      for (const server of servers) server.resume()
    },
    silence() {
      for (const socket of sockets) socket.removeAllListeners('data').resume()
    },
    cut,
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
