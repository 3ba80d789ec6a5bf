import type Koa from 'koa'
import { DEFAULT_LANGUAGE, isLanguage, LANGUAGES, type Language } from '#rules/members/languages'
import type { Services } from './services.ts'

/** The language of a request by its `Accept-Language`, which the client sets to that of the screen. */
export function languageOfRequest(ctx: Koa.Context): Language {
  const accepted = ctx.acceptsLanguages(...LANGUAGES)
  return isLanguage(accepted) ? accepted : DEFAULT_LANGUAGE
}

/** The language of a mail to a member: their own, or that of the request that causes it. */
export function mailLanguage(
  ctx: Koa.Context,
  member: { language: Language | null } | undefined,
): Language {
  return member?.language ?? languageOfRequest(ctx)
}

/** Queues a mail of the outbox. If the queue is unavailable, the maintenance job queues it later. */
export async function queueMail(
  { mailJobs, log, cause }: Pick<Services, 'mailJobs' | 'log' | 'cause'>,
  mailId: number,
): Promise<void> {
  await mailJobs
    .add(mailId, cause)
    .catch((error) =>
      log.warn({ err: error, mailId }, 'mail not queued; maintenance queues it later'),
    )
}
