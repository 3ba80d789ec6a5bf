import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { migrate } from '#db/migrations/migrate'
import { connect } from '#db/postgres/connection/connect'
import { advance } from '#db/testing/clock'
import { startGateway } from '#gateway/server'
import type { Product } from '#gateway/testing/product'
import { PASSWORD, Visitor } from '#gateway/testing/visitor'
import { INTERVAL_MS } from '#rules/constants'
import { readConfig } from '#runtime/config/config'
import { developmentSecrets } from '#runtime/process/development-secrets'
import { ROOT } from '#runtime/process/root'
import { launchChromium } from '#scripts/browser/chromium'
import { buildClient } from '#scripts/build/build-client'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import { ChaosProxy } from '#trials/kit/chaos-proxy'
import { startWorkers } from '#workers/server'

/**
 * Bytes and requests of the mining screen per hour: Chromium behind a counting proxy (TCP payload,
 * both directions). A window of the steady state is measured and scaled to an hour; the three
 * credits of an hour are measured one by one and added.
 *
 *   node --import tsx client/bench/traffic.bench.ts [window in seconds]
 */
const windowS = Number(process.argv[2] ?? 60)
const CREDITS_PER_HOUR = 3
const HOUR_S = 3_600
const CREDIT_WINDOW_S = 8

type Traffic = { bytes: number; requests: number }

const dataDir = mkdtempSync(path.join(tmpdir(), 'tesp-traffic-'))
await buildClient()
const servers = await startEmbedded({ dataDir, durable: false })
const { databaseUrl, redisUrl } = servers
await migrate(databaseUrl)
const secrets = developmentSecrets(dataDir)
const config = readConfig({
  ...secrets,
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  PORT: '0',
  LOG_LEVEL: 'error',
})
const db = connect(databaseUrl, { max: 2 })
const gateway = await startGateway(config, { clientRoot: path.join(ROOT, 'dist/client') })
const workers = await startWorkers(config)
const proxy = await ChaosProxy.start([gateway.port])
const browser = await launchChromium()

async function traffic(page: Page, run: () => Promise<unknown>): Promise<Traffic> {
  const before = proxy.bytes.up + proxy.bytes.down
  let requests = 0
  const count = () => {
    requests++
  }
  page.on('request', count)
  await run()
  page.off('request', count)
  return { bytes: proxy.bytes.up + proxy.bytes.down - before, requests }
}

async function measure(name: string, live: boolean, mining: boolean) {
  const product = { config, db, urls: [proxy.url] } as unknown as Product
  const visitor = new Visitor(product)
  await visitor.register()
  if (mining) await visitor.call('POST /api/mining/start')
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  proxy.set({ blocking: !live })
  await page.goto(`${proxy.url}/auth`)
  await page.getByLabel(/username or e-?mail/i).fill(visitor.user?.username ?? '')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  const state = `Connection: ${live ? 'Live' : 'Polling'}`
  await page.getByRole('status').filter({ hasText: state }).waitFor()
  await sleep(12_000)
  const steady = await traffic(page, () => sleep(windowS * 1_000))
  const credits: Traffic[] = []
  for (let n = 0; mining && n < CREDITS_PER_HOUR; n++) {
    credits.push(
      await traffic(page, async () => {
        await advance(db, INTERVAL_MS)
        await sleep(CREDIT_WINDOW_S * 1_000)
      }),
    )
  }
  await context.close()
  // The window of a credit includes steady-state traffic, which is subtracted.
  const share = (value: number, seconds: number) => (value / windowS) * seconds
  const extra = (kind: keyof Traffic) =>
    credits.reduce(
      (sum, one) => sum + Math.max(0, one[kind] - share(steady[kind], CREDIT_WINDOW_S)),
      0,
    )
  return {
    state: name,
    'kB per hour': Math.round((share(steady.bytes, HOUR_S) + extra('bytes')) / 1024),
    'requests per hour': Math.round(share(steady.requests, HOUR_S) + extra('requests')),
    'bytes per credit': Math.round(extra('bytes') / CREDITS_PER_HOUR),
  }
}

try {
  const rows = []
  rows.push(await measure('live, idle', true, false))
  rows.push(await measure('live, mining', true, true))
  rows.push(await measure('polling, idle', false, false))
  rows.push(await measure('polling, mining', false, true))
  console.log(`windows of ${windowS} s, scaled to an hour`)
  console.table(rows)
} finally {
  await browser.close()
  await workers.close()
  await gateway.close()
  await proxy.close()
  await db.destroy()
  await servers.stop()
  removeDataDir(dataDir)
}
process.exit(0)
