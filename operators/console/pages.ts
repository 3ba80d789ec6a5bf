import type Router from '@koa/router'
import type Koa from 'koa'
import type { Value } from './html.ts'
import { type ConsoleServices, goTo, logRefusal, operatorOf, query, show } from './http.ts'
import { layout, type NavLink } from './layout.ts'
import type { Linked, PageRequest } from './page.ts'
import { accountPage } from './pages/account.ts'
import { announcementsPage } from './pages/announcements.ts'
import { correctionsPage } from './pages/corrections.ts'
import { documentContent, documentPage, identityPage } from './pages/kyc.ts'
import { logPage } from './pages/log.ts'
import { memberPage } from './pages/member.ts'
import { memberLedgerPage, membersPage } from './pages/members.ts'
import { operatorsPage } from './pages/operators.ts'
import { overviewPage } from './pages/overview.ts'
import { queuesPage } from './pages/queues.ts'
import { releasesPage } from './pages/releases.ts'
import { taskPage, tasksPage } from './pages/tasks.ts'
import { teamPage, teamsPage } from './pages/teams.ts'
import { type LINKED_PAGES, mayOpen, NAV_PAGES, PAGES, type PageName } from './roles.ts'

/**
 * To add a page:
 * 1. Name it with its path and roles in `NAV_PAGES` or `LINKED_PAGES` (`roles.ts`); a type then demands a row here.
 * 2. Export it from a file of `pages/`. It reads with the functions or `list` commands of `npm run ops`
 *    and writes nothing. `html` escapes what it is given; `parts.ts` has tables, facts, sections.
 * 3. What changes something is a command of `npm run ops` with a row in `ACTIONS`; `actionLink` leads to its form,
 *    which is made from what the command takes, or is a row in `ACTION_FORMS` (`content-forms.ts`).
 */
const NAV: Record<keyof typeof NAV_PAGES, (request: PageRequest) => Promise<Value>> = {
  overview: overviewPage,
  members: membersPage,
  corrections: correctionsPage,
  identity: identityPage,
  teams: teamsPage,
  tasks: tasksPage,
  announcements: announcementsPage,
  releases: releasesPage,
  queues: queuesPage,
  operators: operatorsPage,
  log: logPage,
}

const LINKED: Record<keyof typeof LINKED_PAGES, (request: PageRequest) => Promise<Linked>> = {
  member: memberPage,
  'member ledger': memberLedgerPage,
  document: documentPage,
  'document content': documentContent,
  team: teamPage,
  task: taskPage,
  account: accountPage,
}

const namesOf = <Name extends string>(pages: Record<Name, unknown>) => Object.keys(pages) as Name[]

const navOf = (ctx: Koa.Context): NavLink[] =>
  Object.values(NAV_PAGES).filter(({ roles }) => roles.includes(operatorOf(ctx).role))

/** Hands operator and navigation to every page behind it, also to those of errors. */
export const framed: Koa.Middleware = async (ctx, next) => {
  ctx.state.frame = { operator: operatorOf(ctx), nav: navOf(ctx), path: ctx.path }
  await next()
}

export async function refuseRole(
  services: ConsoleServices,
  ctx: Koa.Context,
  details: { page: string } | { action: string },
): Promise<never> {
  await logRefusal(services, ctx, `the role ${operatorOf(ctx).role} may not`, details)
  return ctx.throw(403)
}

/** `/` leads to the first page that the role opens. */
export function pageRoutes(router: Router, services: ConsoleServices): void {
  router.get('/', async (ctx: Koa.Context) => goTo(ctx, navOf(ctx)[0]?.path ?? '/account'))
  const serve = (name: PageName, read: (request: PageRequest) => Promise<Linked>) =>
    router.get(PAGES[name].path, async (ctx: Koa.Context) => {
      if (!mayOpen(operatorOf(ctx).role, name)) return refuseRole(services, ctx, { page: name })
      const shown = await read({
        ...services,
        args: [],
        options: {},
        operator: operatorOf(ctx),
        path: ctx.url,
        param: (param) => String(ctx.params[param] ?? ''),
        query: (field) => query(ctx, field),
      })
      if ('bytes' in shown) {
        ctx.set('Content-Security-Policy', shown.policy)
        ctx.set('Content-Disposition', 'inline')
        ctx.type = shown.mime
        ctx.body = shown.bytes
        return
      }
      show(ctx, layout({ ...shown, ...ctx.state.frame }))
    })
  for (const name of namesOf(NAV)) {
    const { title } = NAV_PAGES[name]
    serve(name, async (request) => ({ title, content: await NAV[name](request) }))
  }
  for (const name of namesOf(LINKED)) serve(name, LINKED[name])
}
