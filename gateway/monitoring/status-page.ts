import type Koa from 'koa'
import type { Services } from '#gateway/services/services'
import { NETWORK_NAME } from '#rules/constants'
import type { Punctuality, ServiceStatus } from './service-status.ts'

const STATUS_PATH = '/status'

const LABELS: Record<Punctuality, string> = { on_time: 'On time', delayed: 'Delayed' }

/** What each part means for a member. */
const TEXTS: Record<keyof ServiceStatus, { title: string } & Record<Punctuality, string>> = {
  credits: {
    title: 'Credits',
    on_time: 'Every reward that is due has been credited.',
    delayed: 'Rewards are credited late. None is lost: each one follows in full.',
  },
  updates: {
    title: 'Live updates',
    on_time: 'Changes reach open pages within seconds.',
    delayed: 'Open pages may show old figures for a while. Reload a page to see the current ones.',
  },
}

const STYLE = `
  body{margin:0;background:#070b0c;color:#e8f0ee;font:16px/1.5 Inter,system-ui,sans-serif}
  main{max-width:30rem;margin:0 auto;padding:3rem 1.5rem}
  section{margin:1rem 0;padding:1rem 1.25rem;border:1px solid #1b2021;border-radius:1.25rem;background:#0d1414}
  h2{display:flex;justify-content:space-between;margin:0;font-size:1rem}
  p{margin:.25rem 0 0;color:#a5aba9}
  .on_time{color:#5bf0b5}
  .delayed{color:#f6c453}
  a{color:#5bf0b5}`

function sectionOf(part: keyof ServiceStatus, state: Punctuality): string {
  const text = TEXTS[part]
  return `<section><h2>${text.title} <span class="${state}">${LABELS[state]}</span></h2><p>${text[state]}</p></section>`
}

function pageOf({ credits, updates }: ServiceStatus): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Service status · ${NETWORK_NAME}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="30"><meta name="color-scheme" content="dark">
<link rel="icon" href="/icon.svg" type="image/svg+xml"><style>${STYLE}</style></head>
<body><main><h1>Service status</h1>
${sectionOf('credits', credits)}
${sectionOf('updates', updates)}
<p>This page renews itself every 30 seconds. <a href="/">Back to ${NETWORK_NAME}</a></p>
</main></body></html>`
}

/**
 * `/status`: whether credits and pushes are on time, for anybody. The gateway renders it, so that it
 * works without the client; JSON for those who ask for it.
 */
export function statusPage({ status }: Pick<Services, 'status'>): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== STATUS_PATH || !['GET', 'HEAD'].includes(ctx.method)) return next()
    const read = await status()
    ctx.set('Cache-Control', 'no-store')
    ctx.vary('Accept')
    if (ctx.accepts('html', 'json') === 'json') {
      ctx.body = read
      return
    }
    ctx.type = 'html'
    ctx.body = pageOf(read)
  }
}
