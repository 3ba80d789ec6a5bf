import { FIRST_SCREEN_ID, type FirstScreen, NAME_MARK } from '#contract/first-screen'
import type { User } from '#rules/snapshots'
import type { BuildFiles } from './build-files.ts'
import { preloadsOf } from './preloads.ts'

const EMPTY_ROOT = '<div id="root"></div>'
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** JSON that is safe within a script element: nothing in it can end the element or begin a comment. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** The shell with the member's name; a member with a picture gets no letter in its place. */
function namedShell(shell: string, { username, avatar }: User): string {
  const letter = avatar ? '' : escaped([...username][0]?.toUpperCase() ?? '')
  return shell
    .replaceAll(`>${NAME_MARK}<`, () => `>${letter}<`)
    .replaceAll(NAME_MARK, () => escaped(username))
}

/** The page at a path, which names the files of its first screen and holds the member's data, if any. */
export function pageHtml(build: BuildFiles, path: string, first?: FirstScreen): string {
  const { scripts, styles } = preloadsOf(build.manifest, path, first !== undefined)
  const links = [
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="${file}">`),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="${file}">`),
  ]
  // Functions, because a text could contain a pattern of `replace` such as `$&`.
  const html = build.html.replace('</head>', () => `${links.join('')}</head>`)
  if (!first) return html
  const shell = namedShell(build.shells[path] ?? '', first.user)
  const data = `<script type="application/json" id="${FIRST_SCREEN_ID}">${scriptJson(first)}</script>`
  return html
    .replace(EMPTY_ROOT, () => `<div id="root">${shell}</div>`)
    .replace('</body>', () => `${data}</body>`)
}
