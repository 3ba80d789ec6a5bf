import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type Koa from 'koa'

/** Each page is compressed for one answer, so speed counts more than the last percent. */
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 4 }

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Answers with HTML, compressed as the client accepts it. */
export async function sendHtml(ctx: Koa.Context, html: string): Promise<void> {
  ctx.type = 'html'
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity')
  if (encoding === 'br') ctx.body = await brotli(html, { params: QUALITY })
  else if (encoding === 'gzip') ctx.body = await gzipped(html)
  else ctx.body = html
  if (encoding === 'br' || encoding === 'gzip') ctx.set('Content-Encoding', encoding)
}
