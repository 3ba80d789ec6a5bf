import type Koa from 'koa'
import type { SignedIn } from '#operators/actions/operator-sign-ins'
import type { OpsCall, OpsOptions } from '#operators/ops/command'
import type { Value } from './html.ts'
import { type ConsoleServices, operatorOf, query } from './http.ts'

export type PageRequest = {
  services: ConsoleServices
  operator: SignedIn
  /** Path and query of the request: where an action leads back to. */
  path: string
  /** A part of the path, such as `id` of `/members/:id`. */
  param(name: string): string
  /** A parameter of the address; empty if it is missing. */
  query(name: string): string
  /** For the `list` or `show` of a command of `npm run ops`. */
  call(args?: string[], options?: OpsOptions): OpsCall
}

/** A page as its title and content, or a file with its own policy. */
export type Shown =
  | { title: string; content: Value }
  | { bytes: Buffer; mime: string; policy: string }

/** A page of the console; `PAGE_ROLES` says who opens it. */
export type Page = {
  /** As the router of Koa reads it, such as `/members/:id`. */
  path: string
  /** Its label in the navigation; absent for pages that others link to. */
  nav?: string
  show(request: PageRequest): Promise<Shown>
}

export function pageRequest(services: ConsoleServices, ctx: Koa.Context): PageRequest {
  const { db, config, redisUrl, queues } = services
  return {
    services,
    operator: operatorOf(ctx),
    path: ctx.url,
    param: (name) => String(ctx.params[name] ?? ''),
    query: (name) => query(ctx, name),
    call: (args = [], options = {}) => ({ db, config, redisUrl, queues, args, options }),
  }
}
