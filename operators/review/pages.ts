import type { DocumentRow } from '#db/members/kyc'
import { documentState } from '#db/members/kyc'

/** HTML that needs no further escaping. */
export class Html {
  constructor(readonly text: string) {}
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

type Value = Html | Html[] | string | number

function escaped(value: Value): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(escaped).join('')
  return String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}

/** Template of HTML; every value that is not HTML itself is escaped. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const texts = values.map((value, at) => escaped(value) + (parts[at + 1] ?? ''))
  return new Html((parts[0] ?? '') + texts.join(''))
}

/** The style sheet: inline styles would need a weaker policy. */
export const STYLE = `body { font: 16px/1.5 system-ui; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid #ccc }
label { display: block; margin: 0.8rem 0 }
input, textarea { display: block; width: 100%; max-width: 30rem; font: inherit; padding: 0.4rem }
button { font: inherit; padding: 0.4rem 1rem; margin: 0.4rem 0 }
img { max-width: 100%; border: 1px solid #ccc }
[role=alert] { color: #a00 }
header { display: flex; justify-content: space-between; align-items: center }
`

const NOTHING = new Html('')

function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
${content}
</html>`.text
}

const alert = (message: string | undefined) =>
  message === undefined ? NOTHING : html`<p role="alert">${message}</p>`

const header = (reviewer: string) => html`<header>
<a href="/">Documents</a>
<form method="post" action="/sign-out"><button>Sign out ${reviewer}</button></form>
</header>`

/** The form of a sign-in; `message` says why the last one was refused. */
export function signInPage(message?: string): string {
  return page(
    'Sign in',
    html`<main>
<h1>Identity documents</h1>
${alert(message)}
<form method="post" action="/sign-in">
<label>Name <input name="name" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<label>One-time code <input name="code" inputmode="numeric" autocomplete="one-time-code" required></label>
<button>Sign in</button>
</form>
</main>`,
  )
}

type Waiting = { id: number; username: string; documentType: string; createdAt: Date }

/** Documents that wait for a decision. */
export function listPage(reviewer: string, documents: Waiting[]): string {
  const rows = documents.map(
    ({ id, username, documentType, createdAt }) => html`<tr>
<td><a href="/documents/${id}">${id}</a></td><td>${username}</td><td>${documentType}</td>
<td>${createdAt.toISOString().slice(0, 16).replace('T', ' ')}</td></tr>`,
  )
  const table = html`<table>
<thead><tr><th>Document</th><th>Member</th><th>Type</th><th>Submitted (UTC)</th></tr></thead>
<tbody>${rows}</tbody></table>`
  return page(
    'Documents',
    html`${header(reviewer)}<main>
<h1>Documents that wait for a decision</h1>
${documents.length > 0 ? table : html`<p>None.</p>`}
</main>`,
  )
}

function content({ id, mime }: DocumentRow): Html {
  const path = `/documents/${id}/content`
  if (mime === 'application/pdf') return html`<p><a href="${path}">Open the PDF</a></p>`
  return html`<p><img src="${path}" alt="Identity document"></p>`
}

const decisions = (id: number) => html`
<form method="post" action="/documents/${id}/accept">
<label>Why it is accepted, for the log <input name="reason" maxlength="300" required></label>
<button>Accept</button>
</form>
<form method="post" action="/documents/${id}/reject">
<label>Why it is rejected; the member reads it <textarea name="reason" maxlength="300" required></textarea></label>
<button>Reject</button>
</form>`

/** One document with its forms; `message` says why the last decision was refused. */
export function documentPage(
  reviewer: string,
  document: DocumentRow & { username: string; fullName: string | null },
  message?: string,
): string {
  const { id, username, fullName, documentType, decidedAt, deletedAt } = document
  return page(
    `Document ${id}`,
    html`${header(reviewer)}<main>
<h1>Document ${id}</h1>
${alert(message)}
<p>${documentType} of ${username}${fullName === null ? '' : `, ${fullName}`}: ${documentState(document)}</p>
${deletedAt ? NOTHING : content(document)}
${decidedAt ? NOTHING : decisions(id)}
</main>`,
  )
}

/** An error as a page. */
export function errorPage(message: string): string {
  return page(message, html`<main><h1>${message}</h1><p><a href="/">Documents</a></p></main>`)
}
