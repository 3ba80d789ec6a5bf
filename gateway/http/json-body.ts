import { isUtf8 } from 'node:buffer'
import { bodyParser } from '@koa/bodyparser'
import type Koa from 'koa'
import { BadInput } from './errors.ts'

/** Reads the bytes of a JSON body, decompressed, as a text of one character per byte. */
const readBytes = bodyParser({
  enableTypes: ['text'],
  extendTypes: { text: ['application/json'] },
  encoding: 'binary',
  textLimit: '256kb',
  onError(error) {
    const status = 'status' in error && error.status === 413 ? 413 : 400
    throw new BadInput(
      status === 413 ? 'The request is too large' : 'The request is not valid JSON',
      undefined,
      status,
    )
  },
})

/**
 * Decodes strictly: a lenient decoder replaces invalid bytes by U+FFFD, so the request would store
 * another text than the client sent.
 */
function parsed(binary: string): unknown {
  if (binary === '') return {}
  const bytes = Buffer.from(binary, 'latin1')
  if (!isUtf8(bytes)) throw new BadInput('The request is not valid UTF-8')
  const value = jsonOf(new TextDecoder().decode(bytes))
  // No route takes a bare text, number, boolean or null.
  if (typeof value !== 'object' || value === null) {
    throw new BadInput('The request is not valid JSON')
  }
  return value
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadInput('The request is not valid JSON')
  }
}

const parseBytes: Koa.Middleware = async (ctx, next) => {
  const { request } = ctx
  if (typeof request.body === 'string') request.body = parsed(request.body)
  await next()
}

/**
 * Middleware that reads and parses JSON bodies.
 * @throws {BadInput} for a body that is too large, not UTF-8 or not JSON
 */
export const readJson = [readBytes, parseBytes]
