import type Koa from 'koa'
import type { ServiceStatus } from '#gateway/services/service-status'
import type { Services } from '#gateway/services/services'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '#rules/members/languages'
import type { BuildFiles, BuildReader } from './build-files.ts'
import { languageFor, plainPage } from './plain-page.ts'

const ENGLISH = {
  title: 'Service status',
  labels: { on_time: 'On time', delayed: 'Delayed' },
  parts: {
    credits: {
      title: 'Credits',
      on_time: 'Every reward that is due has been credited.',
      delayed: 'Rewards are credited late. None is lost: each one follows in full.',
    },
    updates: {
      title: 'Live updates',
      on_time: 'Changes reach open pages within seconds.',
      delayed:
        'Open pages may show old figures for a while. Reload a page to see the current ones.',
    },
  },
  again: 'Check again',
}

export const STATUS_TEXTS: Record<Language, typeof ENGLISH> = {
  en: ENGLISH,
  vi: {
    title: 'Trạng thái dịch vụ',
    labels: { on_time: 'Đúng giờ', delayed: 'Chậm trễ' },
    parts: {
      credits: {
        title: 'Cộng thưởng',
        on_time: 'Mọi phần thưởng đến hạn đều đã được cộng.',
        delayed: 'Phần thưởng được cộng chậm. Không mất phần nào: tất cả sẽ được cộng đủ.',
      },
      updates: {
        title: 'Cập nhật trực tiếp',
        on_time: 'Thay đổi hiện trên các trang đang mở trong vài giây.',
        delayed:
          'Các trang đang mở có thể hiện số liệu cũ trong một lúc. Hãy tải lại trang để xem số liệu mới.',
      },
    },
    again: 'Kiểm tra lại',
  },
}

const STATUS_PATH = '/status'

function sectionOf(language: Language, part: keyof ServiceStatus, status: ServiceStatus): string {
  const { labels, parts } = STATUS_TEXTS[language]
  const state = status[part]
  return `<section><h2>${parts[part].title} <span class="${state}">${labels[state]}</span></h2><p>${parts[part][state]}</p></section>`
}

function linkTo(language: Language): string {
  return `<a href="?language=${language}" lang="${language}" hreflang="${language}">${LANGUAGE_NAMES[language]}</a>`
}

function pageOf(language: Language, status: ServiceStatus, build: BuildFiles | undefined): string {
  const { title, again } = STATUS_TEXTS[language]
  const others = LANGUAGES.filter((other) => other !== language)
  return plainPage({
    language,
    title,
    build,
    body: `${sectionOf(language, 'credits', status)}
${sectionOf(language, 'updates', status)}
<form><input type="hidden" name="language" value="${language}"><button>${again}</button></form>`,
    links: others.map(linkTo).join(''),
  })
}

/** Rendered by the gateway, so that it works without the client; JSON for those who ask for it. */
export function statusPage(
  { status }: Pick<Services, 'status'>,
  readBuild: BuildReader,
): Koa.Middleware {
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
    ctx.body = pageOf(languageFor(ctx), read, await readBuild())
  }
}
