import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CrowdFigures, type CrowdOrder, NO_FIGURES } from './crowd.ts'
import { leanSocket } from './lean-socket.ts'

// Started by crowd.ts: many sockets that come back as the client's do, and ask for the status then.

const FIRST_DELAY_MS = 1_000
const SPREAD = 0.6

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
const figures: CrowdFigures = { ...NO_FIGURES, restMs: [] }

/** A GET whose time is taken, as a page asks once it is live again. */
function ask(url: string, cookie: string): Promise<void> {
  const askedAt = performance.now()
  return new Promise((resolve) => {
    const failed = () => {
      figures.lost++
      resolve()
    }
    http
      .get(`${url}/api/mining/status`, { agent, headers: { Cookie: cookie } }, (response) => {
        if (response.statusCode !== 200) figures.wrongAnswers++
        response.resume()
        response.once('end', () => {
          figures.restMs.push(performance.now() - askedAt)
          resolve()
        })
        response.once('error', failed)
      })
      .once('error', failed)
  })
}

async function keepConnected(url: string, cookie: string, longestMs: number): Promise<never> {
  for (let failures = 0; ; failures++) {
    figures.tries++
    await new Promise<void>((resolve) => {
      let stands = false
      leanSocket(url, cookie, {
        connected() {
          stands = true
          failures = 0
          figures.connected++
          void ask(url, cookie)
        },
        over() {
          if (stands) figures.connected--
          resolve()
        },
      })
    })
    const delay = Math.min(longestMs, FIRST_DELAY_MS * 2 ** failures)
    await sleep(delay * (1 - SPREAD + 2 * SPREAD * Math.random()))
  }
}

process.once('message', async (order: CrowdOrder) => {
  const { urls, cookies, sockets, longestDelayMs } = order
  for (let i = 0; i < sockets; i++) {
    const url = urls[i % urls.length] ?? ''
    const cookie = cookies[Math.floor(i / urls.length) % cookies.length] ?? ''
    void keepConnected(url, cookie, longestDelayMs)
    // The first time they come one by one; only what follows is the storm.
    if (i % 20 === 19) await sleep(25)
  }
})
process.on('message', (message) => {
  if (message === 'forget') {
    Object.assign(figures, { ...NO_FIGURES, connected: figures.connected, restMs: [] })
  }
})
process.on('disconnect', () => process.exit())
setInterval(() => process.send?.(figures), 100)
