import fs from 'node:fs'
import path from 'node:path'
import { createServer, type ProxyOptions, type ViteDevServer } from 'vite'
import { SOCKET_PATH } from '#contract/events'
import { DATA_DIR, ROOT } from '#runtime/process/root'

/** Folders that the browser may read; `.env` and `.data` lie outside. */
const SERVED = ['client', 'db/rules', 'gateway/contract', 'node_modules']

/** Paths that the gateway answers. */
const PROXIED = ['/api', '/healthz', '/readyz', '/status', '/unsubscribe']

/**
 * Every connection of the proxy comes from this machine, so the gateway cannot see from where mails are
 * read (rules.md: Codes by e-mail). `false` answers 404.
 */
const onlyFromThisMachine: ProxyOptions['bypass'] = ({ socket }) =>
  /^(::1|(::ffff:)?127\.)/.test(socket.remoteAddress ?? '') ? undefined : false

/**
 * What Vite passes on to the gateway. The Host header stays unchanged: the gateway compares it with
 * Origin, and cookies belong to the address of the page.
 */
export function proxyTo(target: string): Record<string, ProxyOptions> {
  return {
    ...Object.fromEntries(PROXIED.map((prefix) => [prefix, { target }])),
    '/dev/outbox': { target, bypass: onlyFromThisMachine },
    [SOCKET_PATH]: { target, ws: true },
  }
}

/** Serves the client with hot reload. */
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
