import type { SignedIn } from '#operators/actions/operator-sign-ins'
import { NETWORK_NAME } from '#rules/constants'
import { type Html, html, type Value } from './html.ts'

export type NavLink = { title: string; path: string }

/** Without an operator there is no navigation. */
type Layout = {
  title: string
  content: Value
  operator?: SignedIn | undefined
  nav?: NavLink[]
  /** Path of the request, which the navigation marks. */
  path?: string
}

const isAt = (path: string, link: string) =>
  path === link || path.startsWith(`${link}/`) || path.startsWith(`${link}?`)

const navigation = (nav: NavLink[], path: string) =>
  html`<nav aria-label="Console"><ul>${nav.map(
    (link) =>
      html`<li><a href="${link.path}"${isAt(path, link.path) && html` aria-current="page"`}>${link.title}</a></li>`,
  )}</ul></nav>`

const account = ({ name, role }: SignedIn) => html`<div class="who">
<a href="/account"><b>${name}</b> <i>${role}</i></a>
<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form></div>`

export function layout({ title, content, operator, nav = [], path = '' }: Layout): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${NETWORK_NAME} console</title>
<link rel="stylesheet" href="/style.css">
<body${!operator && html` class="alone"`}>
${
  operator &&
  html`<a class="skip" href="#main">Skip to content</a>
<header><p class="brand"><a href="/">${NETWORK_NAME} <span>console</span></a></p>${account(operator)}
${navigation(nav, path)}</header>`
}
<main id="main">
<h1>${title}</h1>
${content}
</main>
</body>
</html>`.text
}

/** Screen readers announce it. */
export const notice = (
  message: string | undefined,
  kind: 'refused' | 'done' = 'refused',
): Html | undefined =>
  message === undefined
    ? undefined
    : html`<p role="${kind === 'refused' ? 'alert' : 'status'}" class="notice ${kind}">${message}</p>`
