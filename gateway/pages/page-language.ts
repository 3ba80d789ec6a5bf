import type Koa from 'koa'
import { LANGUAGE_COOKIE } from '#contract/cookies'
import { languageOfRequest } from '#gateway/mails/mail-language'
import { isLanguage, type Language } from '#rules/members/languages'

/**
 * The language of a page: the choice on the device, that of its member, or the browser's preference, as
 * the client chooses it too.
 */
export function pageLanguage(ctx: Koa.Context, member?: { language: Language | null }): Language {
  const chosen = ctx.cookies.get(LANGUAGE_COOKIE, { signed: false })
  if (isLanguage(chosen)) return chosen
  return member?.language ?? languageOfRequest(ctx)
}
