import net from 'node:net'
import { freePort } from '#runtime/config/free-port'

/** A proxy before Redis, for connections that are lost. */
export type RedisProxy = {
  url: string
  port: number
  sockets: Set<net.Socket>
  /** Closes every connection. */
  cut(): void
  /** Answers nothing on the connections of now, for ever and without closing them; new ones are served. */
  silence(): void
  close(): void
}

/** Starts a proxy before the Redis at `redisUrl`. */
export async function startProxy(redisUrl: string): Promise<RedisProxy> {
  const url = new URL(redisUrl)
  const target = { port: Number(url.port), host: url.hostname }
  const port = await freePort()
  const sockets = new Set<net.Socket>()
  const server = net.createServer((client) => {
    const upstream = net.connect(target)
    client.pipe(upstream).pipe(client)
    client.on('close', () => upstream.destroy())
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  url.host = `127.0.0.1:${port}`
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const silence = () => {
    for (const socket of sockets) socket.unpipe().resume()
  }
  const close = () => {
    cut()
    server.close()
  }
  return { url: url.href, port, sockets, cut, silence, close }
}
