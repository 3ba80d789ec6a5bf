import type { RouteName } from '#contract/routes'
import type { RouteFacts, RouteHandler, Routes } from '#gateway/http/route'

/** A route as its file states it: for members unless it says otherwise. */
type Stated<R extends RouteName> = Omit<RouteFacts, 'tag' | 'access'> & {
  access?: 'anyone'
  handle: RouteHandler<R>
}

/** Completes the facts of routes with one tag: each idempotent command has a limit too. */
export function routesOf<R extends RouteName>(
  tag: RouteFacts['tag'],
  stated: { [Name in R]: Stated<Name> },
): Pick<Routes, R> {
  const complete = ([name, route]: [string, Stated<R>]) => {
    const errors = [...(route.errors ?? []), ...(route.idempotent ? LIMITED : [])]
    const facts = { tag, access: 'member', ...route, ...(errors.length > 0 && { errors }) }
    return [name, facts]
  }
  return Object.fromEntries(Object.entries<Stated<R>>(stated).map(complete))
}

const LIMITED = ['too_many_requests'] as const
