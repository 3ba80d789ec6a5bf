import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { LANGUAGES, type Language } from '#rules/members/languages'
import { viteBuild } from './vite-build.ts'

const EMPTY_ROOT = '<div id="root"></div>'

/** What `client/prerender/prerender.tsx` exports. */
type Prerender = {
  renderAuthPage(language: Language): Promise<{ title: string; html: string }>
  renderShells(language: Language): Promise<Record<string, string>>
}

/** The CSP of the gateway allows no script in a page. */
function assertNoScript(html: string): void {
  if (html.includes('<script')) throw new Error('The prerendered page contains a script')
}

/** The built page in that language, with that title and content. */
function filled(
  page: string,
  language: Language,
  { title, html }: { title: string; html: string },
) {
  if (!page.includes(EMPTY_ROOT)) throw new Error('The built page has no empty #root')
  assertNoScript(html)
  return page
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace(/<title>.*?<\/title>/, () => `<title>${title}</title>`)
    .replace(EMPTY_ROOT, () => `<div id="root" data-page="/auth">${html}</div>`)
}

/** Renders one language after the other, because the module shows one at a time. */
async function renderPages(clientRoot: string, prerender: Prerender): Promise<void> {
  const page = fs.readFileSync(path.join(clientRoot, 'index.html'), 'utf8')
  const shells: Partial<Record<Language, Record<string, string>>> = {}
  for (const language of LANGUAGES) {
    const auth = filled(page, language, await prerender.renderAuthPage(language))
    fs.writeFileSync(path.join(clientRoot, `auth.${language}.html`), auth)
    const rendered = await prerender.renderShells(language)
    for (const html of Object.values(rendered)) assertNoScript(html)
    shells[language] = rendered
  }
  fs.writeFileSync(path.join(clientRoot, '.vite/shells.json'), JSON.stringify(shells))
}

/**
 * Renders pages of a built client to HTML in each language: the sign-in page as `auth.en.html`, and the
 * shells of the members' screens as `.vite/shells.json`, from which the gateway makes their pages.
 */
export async function prerenderPages(clientRoot: string): Promise<void> {
  const server = `${clientRoot}.server`
  try {
    await viteBuild('prerender', 'vite.prerender.config.ts', server)
    const url = pathToFileURL(path.join(server, 'prerender.mjs')).href
    await renderPages(clientRoot, (await import(url)) as Prerender)
  } finally {
    fs.rmSync(server, { recursive: true, force: true })
  }
}
