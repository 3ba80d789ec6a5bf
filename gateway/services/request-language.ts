import type Koa from 'koa'
import { DEFAULT_LANGUAGE, isLanguage, LANGUAGES, type Language } from '#rules/members/languages'

/** By `Accept-Language`, which the client sets to the language of the screen. */
export function languageOfRequest(ctx: Koa.Context): Language {
  const accepted = ctx.acceptsLanguages(...LANGUAGES)
  return isLanguage(accepted) ? accepted : DEFAULT_LANGUAGE
}

export function languageFor(
  ctx: Koa.Context,
  member: { language: Language | null } | undefined,
): Language {
  return member?.language ?? languageOfRequest(ctx)
}
