import { Readable } from 'node:stream'
import type Koa from 'koa'

/** An answer that is JSON already, in pieces: too long to be held as objects, or twice. */
export class JsonStream {
  constructor(readonly pieces: Buffer[]) {}
}

/** Sends it as the other side takes it, with its length, so that a cut-off answer is noticed. */
export function sendJsonStream(ctx: Koa.Context, { pieces }: JsonStream): void {
  ctx.body = Readable.from(pieces)
  ctx.type = 'application/json'
  ctx.length = pieces.reduce((sum, { length }) => sum + length, 0)
}
