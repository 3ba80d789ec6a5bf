import type Koa from 'koa'
import type { SignedIn } from '#operators/actions/operator-sign-ins'
import type { OpsCall } from '#operators/ops/command'
import type { Value } from './html.ts'
import { type ConsoleServices, operatorOf, query } from './http.ts'

export type PageRequest = {
  services: ConsoleServices
  operator: SignedIn
  /** Path and query of the request: where an action leads back to. */
  path: string
  param(name: string): string
  query(name: string): string
  /** For the `list` or `show` of a command of `npm run ops`. */
  call(): OpsCall
}

/** A page, or a file with its own policy. */
export type Shown =
  | { title: string; content: Value }
  | { bytes: Buffer; mime: string; policy: string }

/** `PAGE_ROLES` says who opens it. */
export type Page = {
  path: string
  /** Absent for pages that others link to. */
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
    call: () => ({ db, config, redisUrl, queues, args: [], options: {} }),
  }
}
