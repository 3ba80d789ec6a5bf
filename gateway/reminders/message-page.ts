import { plainPage } from '#gateway/plain-pages/plain-page'
import type { Language } from '#rules/members/languages'

/** A page of one message; with a button it is a form that posts to its own URL. */
export type Message = { title: string; text: string; button?: string; back: string }

export function messagePage(language: Language, { title, text, button, back }: Message): string {
  const form = button ? `<form method="post"><button>${button}</button></form>` : ''
  return plainPage({
    language,
    title,
    head: '<meta name="robots" content="noindex">',
    body: `<p>${text}</p>${form}
<nav><a href="/">${back}</a></nav>`,
  })
}
