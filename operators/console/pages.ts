import Router from '@koa/router'
import type Koa from 'koa'
import { type ConsoleServices, goTo, logRefusal, operatorOf, show } from './http.ts'
import { layout, type NavLink } from './layout.ts'
import { type Page, pageRequest } from './page.ts'
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
import { mayOpen, type PageName } from './roles.ts'

/**
 * In the order of the navigation. To add a page:
 * 1. Name it with its roles in `PAGE_ROLES` (`roles.ts`); the type then demands a row here.
 * 2. Export a `Page` from a file of `pages/`. It reads with the functions or `list` commands of `npm run ops`
 *    (`request.call()`) and writes nothing. `html` escapes what it is given; `parts.ts` has tables, facts, sections.
 * 3. What changes something is a command of `npm run ops` with a row in `ACTIONS`; `actionLink` leads to its form,
 *    which is made from what the command takes, or is a row in `ACTION_FORMS` (`content-forms.ts`).
 */
export const PAGES: Record<PageName, Page> = {
  overview: overviewPage,
  members: membersPage,
  member: memberPage,
  'member ledger': memberLedgerPage,
  corrections: correctionsPage,
  identity: identityPage,
  document: documentPage,
  'document content': documentContent,
  teams: teamsPage,
  team: teamPage,
  tasks: tasksPage,
  task: taskPage,
  announcements: announcementsPage,
  releases: releasesPage,
  queues: queuesPage,
  operators: operatorsPage,
  log: logPage,
  account: accountPage,
}

const NAMES = Object.keys(PAGES) as PageName[]

function navOf(ctx: Koa.Context): NavLink[] {
  const { role } = operatorOf(ctx)
  return NAMES.filter((name) => mayOpen(role, name)).flatMap((name) => {
    const { nav, path } = PAGES[name]
    return nav ? [{ label: nav, path }] : []
  })
}

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
export function pageRoutes(services: ConsoleServices): Koa.Middleware {
  const router = new Router()
  router.get('/', async (ctx: Koa.Context) => goTo(ctx, navOf(ctx)[0]?.path ?? '/account'))
  for (const name of NAMES) {
    const page = PAGES[name]
    router.get(page.path, async (ctx: Koa.Context) => {
      if (!mayOpen(operatorOf(ctx).role, name)) return refuseRole(services, ctx, { page: name })
      const shown = await page.show(pageRequest(services, ctx))
      if ('bytes' in shown) {
        ctx.set('Content-Security-Policy', shown.policy)
        ctx.set('Content-Disposition', 'inline')
        ctx.type = shown.mime
        ctx.body = shown.bytes
        return
      }
      show(ctx, layout({ ...shown, ...ctx.state.frame }))
    })
  }
  return router.routes() as unknown as Koa.Middleware
}
