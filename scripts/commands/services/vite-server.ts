import fs from 'node:fs'
import path from 'node:path'
import { createServer, type ProxyOptions, type ViteDevServer } from 'vite'
import { SOCKET_PATH } from '#contract/events'
import { DATA_DIR, ROOT } from '#runtime/process/root'

/** Folders that the browser may read; `.env` and `.data` lie outside. */
const SERVED = ['client', 'db/rules', 'gateway/contract', 'node_modules']

const PROXIED = ['/api', '/healthz', '/readyz', '/status', '/unsubscribe']

/** The gateway sees only connections of the proxy, not from where mails are read (rules.md: Codes by e-mail). */
const onlyFromThisMachine: ProxyOptions['bypass'] = ({ socket }) =>
  /^(::1|(::ffff:)?127\.)/.test(socket.remoteAddress ?? '') ? undefined : false

/** The Host header stays: the gateway compares it with Origin, and cookies belong to the page's address. */
export function proxyTo(target: string): Record<string, ProxyOptions> {
  return {
    ...Object.fromEntries(PROXIED.map((prefix) => [prefix, { target }])),
    '/dev/outbox': { target, bypass: onlyFromThisMachine },
    [SOCKET_PATH]: { target, ws: true },
  }
}

export async function startVite(
  { host, port }: { host: string; port: number },
  gatewayUrl: string,
): Promise<ViteDevServer> {
  const server = await createServer({
    root: path.join(ROOT, 'client'),
    configFile: path.join(ROOT, 'vite.config.ts'),
    cacheDir: path.join(DATA_DIR, 'vite'),
    logLevel: 'warn',
    server: {
      host,
      port,
      strictPort: true,
      fs: { allow: SERVED.map((folder) => fs.realpathSync(path.join(ROOT, folder))) },
      proxy: proxyTo(gatewayUrl),
    },
  })
  return server.listen()
}
