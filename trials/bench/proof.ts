import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Browser, Page } from 'playwright-core'
import { workFor } from '#gateway/security/proof-of-work'
import { SECOND_MS } from '#rules/constants'
import { freePort } from '#runtime/config/free-port'
import { launchChromium } from '#scripts/browser/chromium'
import { buildClient } from '#scripts/build/build-client'
import { otherThreadsSeconds } from './measure.ts'
import { type BenchOptions, type PartResult, rowsOf } from './result.ts'
import { startRole } from './role.ts'
import { benchServers } from './servers.ts'

const PREFIX = 'proof'
/** Codes an hour from one address, the default. */
const LIMIT = 300
/** How many times slower than this machine's core; the last is a phone of 2018. */
const SLOWER = [1, 4, 6]
/** The last free code of an address, the first that costs work, and one with enough of it to measure. */
const CODES = { free: 10, first: 11, measured: 40 }
/** Codes whose price is told: the first three prices and the dearest. */
const PRICED = [11, 15, 20, 45]
const workOf = (code: number) => workFor({ address: code, network: 1 }, LIMIT)

type Sent = { workers: number; derivations: number; cpuSeconds: number; waitedMs: number }

/** CPU time of the threads beside those of pages, in which keys are derived. */
async function readerOfCpu(browser: Browser): Promise<() => number> {
  const devTools = await browser.newBrowserCDPSession()
  const { processInfo } = await devTools.send('SystemInfo.getProcessInfo')
  await devTools.detach()
  const pids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  return () => pids.reduce((sum, pid) => sum + otherThreadsSeconds(pid), 0)
}

/** A loop on the page's main thread: shows what the throttling reaches. */
const LOOP = `(() => { const from = performance.now(); let sum = 0
  for (let n = 0; n < 2e7; n++) sum += Math.sqrt(n)
  return performance.now() - from })()`

/** Presses Send OTP on a page and waits for the code. */
async function sendCode(page: Page, email: string, cpu: () => number): Promise<Sent> {
  const sent: Sent = { workers: 0, derivations: 0, cpuSeconds: 0, waitedMs: 0 }
  page.on('worker', () => sent.workers++)
  const isAsked = (url: string) => url.endsWith('/send-otp')
  let refusedAt = 0
  page.on('response', (response) => {
    if (isAsked(response.url()) && response.status() === 428) refusedAt = cpu()
  })
  page.on('request', (request) => {
    const { proof } = isAsked(request.url()) ? request.postDataJSON() : {}
    if (!proof) return
    sent.cpuSeconds += cpu() - refusedAt
    sent.derivations += JSON.parse(proof).solution.counter + 1
  })
  await page.getByRole('tab', { name: 'Register' }).click()
  // The code of the prerendered page loads when it is used.
  await page.locator('#root:not([data-page])').waitFor({ state: 'attached' })
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  const button = page.getByRole('button', { name: 'Send OTP' })
  const accepted = page.waitForResponse((one) => isAsked(one.url()) && one.ok(), {
    timeout: 120_000,
  })
  while (await button.isDisabled()) await sleep(50)
  const from = performance.now()
  await button.click()
  await accepted
  sent.waitedMs = performance.now() - from
  return sent
}

/** What a code costs the browser of a member from whose address `nth - 1` were requested in this hour. */
async function sendNth(
  browser: Browser,
  redis: Redis,
  { url, nth, slower }: { url: string; nth: number; slower: number },
) {
  const context = await browser.newContext()
  // Of a network of its own, so that only the address counts.
  const ip = `10.${randomInt(256)}.${randomInt(256)}.1`
  await redis.set(`${PREFIX}:limit:otp-address:${ip}`, nth - 1, 'EX', 3_600)
  await context.setExtraHTTPHeaders({ 'X-Forwarded-For': ip })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await page.goto(`${url}/auth`)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const loopMs = Number(await page.evaluate(LOOP))
  const sent = await sendCode(page, `${randomUUID()}@tesp.example`, await readerOfCpu(browser))
  await context.close()
  return { ...sent, loopMs }
}

/** What codes cost a member's browser: nothing at rest, then seconds that grow with the price. */
export async function measureProof({ rounds, log }: BenchOptions): Promise<PartResult> {
  await buildClient()
  const servers = await benchServers()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { PORT: `${port}`, PUBLIC_ORIGIN: url, TRUSTED_PROXIES: '127.0.0.1' }
  const gateway = await startRole('gateway', servers, { env: { ...env, REDIS_PREFIX: PREFIX } })
  const redis = new Redis(servers.redisUrl)
  const browser = await launchChromium()
  const loops: Record<string, number[]> = {}
  const speeds: Record<string, number[]> = {}
  const waits: Record<string, number[]> = {}
  const prices: Record<string, number[]> = {}
  const add = (to: Record<string, number[]>, label: string, value: number) => {
    to[label] = [...(to[label] ?? []), value]
  }
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const slower of SLOWER) {
        const side = `page slowed ${slower} times`
        const send = (nth: number) => sendNth(browser, redis, { url, nth, slower })
        const free = await send(CODES.free)
        if (free.workers > 0) throw new Error('a browser computed for a free code')
        add(waits, `free code, ${side}`, free.waitedMs / SECOND_MS)
        add(
          waits,
          `first code with a price, ${side}`,
          (await send(CODES.first)).waitedMs / SECOND_MS,
        )
        const { loopMs, derivations, cpuSeconds } = await send(CODES.measured)
        add(loops, side, loopMs)
        add(speeds, side, derivations / cpuSeconds)
        log(`${side}: ${derivations} derivations in ${cpuSeconds.toFixed(2)} s of CPU`)
      }
      const perSecond = speeds[`page slowed ${SLOWER[0]} times`]?.at(-1) ?? Number.NaN
      for (const slower of SLOWER) {
        for (const nth of PRICED) {
          const label = `code ${nth} of an hour (${workOf(nth)} derivations), ${slower} times slower`
          add(prices, label, (workOf(nth) / perSecond) * slower)
        }
      }
    }
  } finally {
    await browser.close()
    redis.disconnect()
    await gateway.stop()
    await servers.stop()
  }
  const seconds = { unit: 's', higherIsBetter: false }
  return {
    title: 'Proof of work in a browser',
    tables: [
      { ...seconds, title: 'Send OTP, pressed until sent', rows: rowsOf(waits) },
      { title: 'A loop on the page', unit: 'ms', higherIsBetter: false, rows: rowsOf(loops) },
      { title: 'Derivations', unit: 'a second of CPU', higherIsBetter: true, rows: rowsOf(speeds) },
      {
        ...seconds,
        title: 'Computing in the mean, from the derivations',
        rows: rowsOf(prices),
      },
    ],
    notes: [
      'DevTools slow the thread of the page (the loop) and not the threads that derive keys: their CPU time of a derivation stays. So the seconds of a slower phone are computed from it and the slowness.',
      'The dearest proofs take twice the mean. A free code starts no worker, else the part fails.',
    ],
  }
}
