import path from 'node:path'
import { connect } from '#db/engine/connect'
import { ensureDatabase } from '#db/postgres/connection/admin'
import { freePort } from '#runtime/config/free-port'
import { launchChromium } from '#scripts/browser/chromium'
import { insertMiningMembers } from '#trials/bench/harness/mining-members'
import { productEnv } from '#trials/bench/harness/product-env'
import { type RunningRole, startRole } from '#trials/bench/harness/role'
import type { BenchServers } from '#trials/bench/harness/servers'
import { signInMembers } from '#trials/bench/harness/sign-ins'

/** A gateway of a checkout with its client, and the cookies of a member who mines. */
export type Side = { url: string; cookies: { name: string; value: string }[]; gateway: RunningRole }

/** Starts the gateway of a checkout, whose client and roles are built, on a database of its own. */
export async function startSide(
  servers: BenchServers,
  name: string,
  checkout: string,
): Promise<Side> {
  const databaseUrl = await ensureDatabase(servers.databaseUrl, name)
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const own = { PORT: port, REDIS_PREFIX: name, PUBLIC_ORIGIN: url }
  const env = productEnv({ ...servers, databaseUrl }, own)
  const folder = path.resolve(checkout)
  const gateway = await startRole('gateway', env, [`${folder}/dist/roles/gateway.mjs`], folder)
  const db = connect(databaseUrl, { max: 1, name: 'bench' })
  const [memberId = 0] = await insertMiningMembers(db, 1)
  const [header = ''] = await signInMembers(env, [memberId])
  await db.destroy()
  const cookies = `${header}; tesp-member=${memberId}`.split('; ').map((cookie) => {
    const [cookieName = '', value = ''] = cookie.split('=')
    return { name: cookieName, value }
  })
  return { url, cookies, gateway }
}

/** A browser for Lighthouse. */
export type LoadBrowser = { port: number; close(): Promise<void> }

/** Starts a browser that holds the member's cookies of a side, or none. */
export async function openBrowser(side: Side, isMember: boolean): Promise<LoadBrowser> {
  const port = await freePort()
  const browser = await launchChromium({ args: [`--remote-debugging-port=${port}`] })
  if (isMember) {
    const session = await browser.newBrowserCDPSession()
    const cookies = side.cookies.map((cookie) => ({ ...cookie, url: side.url }))
    await session.send('Storage.setCookies', { cookies })
    await session.detach()
  }
  return { port, close: () => browser.close() }
}
