import type Koa from 'koa'
import { newestMails } from '#db/mails'
import type { Services } from '#gateway/services/services'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** `/dev/outbox` shows mails in development, when no SMTP server is configured. Never in production. */
export function outbox({ config, db }: Services): Koa.Middleware {
  return async (ctx, next) => {
    if (config.production || config.smtpUrl || ctx.path !== '/dev/outbox') return next()
    const mails = await newestMails(db, config.dataKey)
    if (ctx.accepts('html', 'json') === 'json') {
      ctx.body = mails
      return
    }
    const items = mails.map(
      ({ to, subject, text, createdAt }) =>
        `<article><h2>${escaped(subject)}</h2><p>${escaped(to)}, ${createdAt.toISOString()}</p>
         <pre>${escaped(text)}</pre></article>`,
    )
    ctx.type = 'html'
    ctx.body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Outbox</title>
      <style>body{font:16px system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}</style>
      <h1>Outbox</h1>${items.join('') || '<p>No mail yet.</p>'}</html>`
  }
}
