import type Koa from 'koa'
import { DEFAULT_LANGUAGE, isLanguage, LANGUAGES, type Language } from '#rules/members/languages'

/** The language of a request by its `Accept-Language`, which the client sets to that of the screen. */
export function languageOfRequest(ctx: Koa.Context): Language {
  const accepted = ctx.acceptsLanguages(...LANGUAGES)
  return isLanguage(accepted) ? accepted : DEFAULT_LANGUAGE
}

/** The language for a member: their own, or that of the request. */
export function languageFor(
  ctx: Koa.Context,
  member: { language: Language | null } | undefined,
): Language {
  return member?.language ?? languageOfRequest(ctx)
}
