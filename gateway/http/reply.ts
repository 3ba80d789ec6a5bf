import { Readable } from 'node:stream'
import type Koa from 'koa'
import { REQUEST_ID_HEADER } from './request-ids.ts'

/**
 * Replies other than a JSON answer. A handler returns the (empty) result of one instead of an
 * answer: `return reply.notModified()`.
 */
export type Reply = {
  /** 304: the client has this state already (`isFresh`). */
  notModified(): undefined
  /**
   * A pre-serialised body in chunks, for exports too large to build in memory twice; JSON unless
   * another type is given.
   */
  stream(chunks: Buffer[], type?: string): undefined
}

/** Security headers that have no effect on a response without a body. */
const PAGE_ONLY_HEADERS = [
  'Content-Security-Policy',
  'Cross-Origin-Resource-Policy',
  'Cross-Origin-Opener-Policy',
  'Origin-Agent-Cluster',
  'Permissions-Policy',
  'Referrer-Policy',
  'Strict-Transport-Security',
  'X-Content-Type-Options',
  'X-DNS-Prefetch-Control',
  'X-Download-Options',
  'X-Frame-Options',
  'X-Permitted-Cross-Domain-Policies',
  'X-XSS-Protection',
]

export function replyTo(ctx: Koa.Context): Reply {
  return {
    notModified() {
      // Keeps a 304 under 300 bytes: most polls of a client end here.
      for (const name of [...PAGE_ONLY_HEADERS, REQUEST_ID_HEADER]) ctx.remove(name)
      ctx.status = 304
      return undefined
    },
    stream(chunks, type = 'application/json') {
      ctx.body = Readable.from(chunks)
      ctx.type = type
      // With its length, so that the client detects a truncated body.
      ctx.length = chunks.reduce((sum, { length }) => sum + length, 0)
      return undefined
    },
  }
}
