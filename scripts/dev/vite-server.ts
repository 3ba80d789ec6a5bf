import fs from 'node:fs'
import path from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { SOCKET_PATH } from '#contract/events'
import { DATA_DIR, ROOT } from '#runtime/process/root'

/** Folders that the browser may read; `.env` and `.data` lie outside. */
const SERVED = ['client', 'db/rules', 'gateway/contract', 'node_modules']

/** Paths that the gateway answers. */
const PROXIED = ['/api', '/dev/outbox', '/healthz', '/readyz', '/status', '/unsubscribe']

/**
 * Serves the client with hot reload. The proxy passes the Host header on unchanged: the gateway
 * compares it with Origin, and cookies belong to the address of the page.
 */
export async function startVite(
  { host, port }: { host: string; port: number },
  gatewayUrl: string,
): Promise<ViteDevServer> {
  const proxy = Object.fromEntries(PROXIED.map((prefix) => [prefix, { target: gatewayUrl }]))
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
      proxy: { ...proxy, [SOCKET_PATH]: { target: gatewayUrl, ws: true } },
    },
  })
  return server.listen()
}
