import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRawSocket } from '#scripts/testing/gateway/wire/raw-socket'
import { serve } from '#trials/kit/fork'

// Sockets in another process, so they do not slow down the measurement. They reconnect as the client does.

const FIRST_DELAY_MS = 1_000
const JITTER = 0.6

type CrowdOptions = {
  urls: string[]
  cookies: string[]
  sockets: number
  /** Longest delay between two attempts of a socket; 15 s in the client. */
  longestDelayMs: number
}

/** `errors` are responses other than 200, `lost` requests without a response; a reset keeps `connected`. */
const noFigures = (connected = 0) => ({
  connected,
  latenciesMs: [] as number[],
  errors: 0,
  lost: 0,
})
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
let figures = noFigures()

const REPEAT_AFTER_MS = 1_000

/** Measures the GET that a page sends when its socket is open, and again once if it is answered 503. */
function readStatus(url: string, cookie: string, isRepeated = false): Promise<void> {
  const sentAt = performance.now()
  return new Promise((resolve) => {
    const failed = () => {
      figures.lost++
      resolve()
    }
    http
      .get(`${url}/api/mining/status`, { agent, headers: { Cookie: cookie } }, (response) => {
        response.resume()
        if (response.statusCode === 503 && !isRepeated) {
          resolve(sleep(REPEAT_AFTER_MS).then(() => readStatus(url, cookie, true)))
          return
        }
        if (response.statusCode !== 200) figures.errors++
        response.once('end', () => {
          figures.latenciesMs.push(performance.now() - sentAt)
          resolve()
        })
        response.once('error', failed)
      })
      .once('error', failed)
  })
}

/** Keeps one Socket.IO connection until it closes. Returns whether it ever joined. */
async function connectOnce(url: string, cookie: string): Promise<boolean> {
  let hasJoined = false
  const socket = await openRawSocket(url, {
    headers: { Origin: url, Cookie: cookie },
    onMessage(text, { send, destroy }) {
      if (text.startsWith('0')) send('40')
      else if (text === '2') send('3')
      else if (text.startsWith('44')) destroy()
      else if (text.startsWith('40')) {
        hasJoined = true
        figures.connected++
        void readStatus(url, cookie)
      }
    },
  })
  if (socket.status !== 101) socket.destroy()
  await socket.closed
  if (hasJoined) figures.connected--
  return hasJoined
}

async function keepConnected(url: string, cookie: string, longestMs: number): Promise<never> {
  for (let failures = 0; ; failures++) {
    if (await connectOnce(url, cookie)) failures = 0
    const delay = Math.min(longestMs, FIRST_DELAY_MS * 2 ** failures)
    await sleep(delay * (1 - JITTER + 2 * JITTER * Math.random()))
  }
}

const CALLS = {
  /** Opens the sockets, which takes seconds; they reconnect until the process ends. */
  async open({ urls, cookies, sockets, longestDelayMs }: CrowdOptions): Promise<void> {
    for (let i = 0; i < sockets; i++) {
      const url = urls[i % urls.length] ?? ''
      const cookie = cookies[Math.floor(i / urls.length) % cookies.length] ?? ''
      void keepConnected(url, cookie, longestDelayMs)
      // The first connections are paced: only the reconnections are measured.
      if (i % 20 === 19) await sleep(25)
    }
  },
  figures: () => figures,
  reset(): void {
    figures = noFigures(figures.connected)
  },
}
export type CrowdCalls = typeof CALLS
serve(CALLS)
