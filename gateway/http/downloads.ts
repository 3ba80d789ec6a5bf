import { Readable } from 'node:stream'
import type Koa from 'koa'
import { tooManyRequests } from '#gateway/services/rate-limits'
import { MINUTE_MS } from '#rules/constants'

/** Most downloads under way, and the longest time for one, ms: a client that reads slowly keeps it in memory. */
const MAX_DOWNLOADS = 20
const DOWNLOAD_MS = 10 * MINUTE_MS
/** What ends each download, with its start in ms; the oldest first. */
const downloads = new Map<() => void, number>()

/** Sends an export too large to build in memory twice. The oldest download gives way once it has run a minute. */
export function stream(ctx: Koa.Context, fileName: string, chunks: Buffer[]): undefined {
  if (ctx.req.socket.destroyed) return
  const now = Date.now()
  const [longest] = downloads
  if (downloads.size === MAX_DOWNLOADS && longest) {
    const [endLongest, since] = longest
    if (now - since < MINUTE_MS) throw tooManyRequests(MINUTE_MS)
    endLongest()
  }
  const end = () => {
    // At once: a destroyed answer closes later.
    downloads.delete(end)
    ctx.res.destroy()
  }
  const timer = setTimeout(end, DOWNLOAD_MS)
  downloads.set(end, now)
  ctx.res.once('close', () => {
    downloads.delete(end)
    clearTimeout(timer)
  })
  // Sets the type too, by the end of the name.
  ctx.attachment(fileName)
  ctx.body = Readable.from(chunks)
  // With its length, so that the client detects a truncated body.
  ctx.length = chunks.reduce((sum, { length }) => sum + length, 0)
}
