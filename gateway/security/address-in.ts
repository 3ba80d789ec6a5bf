import type Koa from 'koa'

/** The address of a request, as the first middleware found it. */
export function clientIp(ctx: Koa.Context): string {
  return ctx.state.address as string
}
