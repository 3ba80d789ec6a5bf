import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { viteBuild } from './vite-build.ts'

const EMPTY_ROOT = '<div id="root"></div>'

/** What `client/prerender.tsx` exports. */
type Prerender = {
  renderAuthPage(): Promise<{ title: string; html: string }>
  renderShells(): Promise<Record<string, string>>
}

/** The CSP of the gateway allows no script in a page. */
function assertNoScript(html: string): void {
  if (html.includes('<script')) throw new Error('The prerendered page contains a script')
}

/**
 * Lets the keyboard reach the selected tab before its code is loaded: Radix makes tabs focusable in the
 * browser only.
 */
function withFocusableTab(html: string): string {
  return html.replace(/<button(?=[^>]*role="tab")(?=[^>]*aria-selected="true")[^>]*>/g, (tag) =>
    tag.replace('tabindex="-1"', 'tabindex="0"'),
  )
}

/** The built page with that title and content. */
function filled(page: string, { title, html }: { title: string; html: string }): string {
  if (!page.includes(EMPTY_ROOT)) throw new Error('The built page has no empty #root')
  assertNoScript(html)
  return page
    .replace(/<title>.*?<\/title>/, () => `<title>${title}</title>`)
    .replace(EMPTY_ROOT, () => `<div id="root" data-page="/auth">${withFocusableTab(html)}</div>`)
}

/**
 * Renders pages of a built client to HTML: the sign-in page as `auth.html`, and the shells of the
 * members' screens as `.vite/shells.json`, from which the gateway makes their pages.
 */
export async function prerenderPages(clientRoot: string): Promise<void> {
  const server = `${clientRoot}.server`
  try {
    await viteBuild('prerender', 'vite.prerender.config.ts', server)
    const url = pathToFileURL(path.join(server, 'prerender.mjs')).href
    const { renderAuthPage, renderShells } = (await import(url)) as Prerender
    const page = fs.readFileSync(path.join(clientRoot, 'index.html'), 'utf8')
    fs.writeFileSync(path.join(clientRoot, 'auth.html'), filled(page, await renderAuthPage()))
    const shells = await renderShells()
    for (const html of Object.values(shells)) assertNoScript(html)
    fs.writeFileSync(path.join(clientRoot, '.vite/shells.json'), JSON.stringify(shells))
  } finally {
    fs.rmSync(server, { recursive: true, force: true })
  }
}
