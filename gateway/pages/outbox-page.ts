import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import { escapeHtml } from '#db/mail-texts/mail-html'
import { newestMails } from '#db/mails'
import type { Services } from '#gateway/services/services'

/** Whether a request comes from this machine, and not from a proxy on it. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && /^(::1|(::ffff:)?127\.)/.test(socket.remoteAddress ?? '')
}

/** For programs of this machine where the database is embedded and no SMTP server is set; never in production. */
export function outbox({ config, db }: Services): Koa.Middleware {
  const isServed = config.devOutbox && !config.production && !config.smtpUrl
  return async (ctx, next) => {
    if (!isServed || ctx.path !== '/dev/outbox' || !isLocal(ctx.req)) return next()
    const mails = await newestMails(db, config.dataKey)
    if (ctx.accepts('html', 'json') === 'json') {
      ctx.body = mails
      return
    }
    const items = mails.map(
      ({ to, subject, text, createdAt }) =>
        `<article><h2>${escapeHtml(subject)}</h2><p>${escapeHtml(to)}, ${createdAt.toISOString()}</p>
         <pre>${escapeHtml(text)}</pre></article>`,
    )
    ctx.type = 'html'
    ctx.body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Outbox</title>
      <style>body{font:16px system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}</style>
      <h1>Outbox</h1>${items.join('') || '<p>No mail yet.</p>'}</html>`
  }
}
