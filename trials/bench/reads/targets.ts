import { freePort } from '#runtime/config/free-port'
import { productEnv } from '#trials/bench/harness/product-env'
import { startRole } from '#trials/bench/harness/role'
import type { BenchServers } from '#trials/bench/harness/servers'
import { startPeer } from './peer.ts'

export type Target = { url: string; pid: number }

/** The product and its peers, each in its own process. */
export type Targets = Record<'product' | 'fastify' | 'koa' | 'ok', Target> & {
  stop(): Promise<void>
}

/** Starts a gateway with production settings and the peers on the same servers. */
export async function startTargets(servers: BenchServers): Promise<Targets> {
  const place = async () => {
    const port = String(await freePort())
    return { env: productEnv(servers, { PORT: port }), url: `http://127.0.0.1:${port}` }
  }
  const peer = async (kind: 'fastify' | 'koa' | 'ok') => {
    const { env, url } = await place()
    return { url, ...(await startPeer(kind, env)) }
  }
  const { env, url } = await place()
  const [product, fastify, koa, ok] = await Promise.all([
    startRole('gateway', env),
    peer('fastify'),
    peer('koa'),
    peer('ok'),
  ])
  return {
    product: { url, pid: product.pid },
    fastify,
    koa,
    ok,
    async stop() {
      for (const each of [fastify, koa, ok]) each.stop()
      await product.stop()
    },
  }
}
