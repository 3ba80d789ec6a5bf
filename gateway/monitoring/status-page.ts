import type Koa from 'koa'
import { plainPage } from '#gateway/plain-pages/plain-page'
import type { Services } from '#gateway/services/services'
import {
  isLanguage,
  LANGUAGE_NAMES,
  LANGUAGES,
  type Language,
  languageOf,
} from '#rules/members/languages'
import type { ServiceStatus } from './service-status.ts'
import { STATUS_TEXTS } from './status-texts.ts'

const STATUS_PATH = '/status'

function sectionOf(language: Language, part: keyof ServiceStatus, status: ServiceStatus): string {
  const { labels, parts } = STATUS_TEXTS[language]
  const state = status[part]
  return `<section><h2>${parts[part].title} <span class="${state}">${labels[state]}</span></h2><p>${parts[part][state]}</p></section>`
}

function linkTo(language: Language): string {
  return `<a href="?language=${language}" lang="${language}" hreflang="${language}">${LANGUAGE_NAMES[language]}</a>`
}

function pageOf(language: Language, status: ServiceStatus): string {
  const { title, again, back } = STATUS_TEXTS[language]
  const others = LANGUAGES.filter((other) => other !== language)
  return plainPage({
    language,
    title,
    body: `${sectionOf(language, 'credits', status)}
${sectionOf(language, 'updates', status)}
<form><input type="hidden" name="language" value="${language}"><button>${again}</button></form>
<nav><a href="/">${back}</a>${others.map(linkTo).join('')}</nav>`,
  })
}

/** The language that the link to the page names, else that of the browser. */
function languageFor(ctx: Koa.Context): Language {
  const { language } = ctx.query
  return isLanguage(language) ? language : languageOf(ctx.acceptsLanguages())
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
    ctx.vary('Accept, Accept-Language')
    if (ctx.accepts('html', 'json') === 'json') {
      ctx.body = read
      return
    }
    ctx.type = 'html'
    ctx.body = pageOf(languageFor(ctx), read)
  }
}
