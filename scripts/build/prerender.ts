import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { fontLink, fontsOf, type Manifest } from '#gateway/pages/preloads'
import { LANGUAGES, type Language } from '#rules/members/languages'
import { viteBuild } from './build-once.ts'

const EMPTY_ROOT = '<div id="root"></div>'
const AUTH_ROOT = '<div id="root" data-page="/auth"'
const STYLE_LINK = /<link rel="stylesheet"[^>]* href="(.+?)">/g

/** Exports of `client/prerender.tsx`. */
type Prerender = {
  renderAuthPage(language: Language): Promise<{ title: string; html: string }>
  renderShells(language: Language): Promise<Record<string, string>>
}

/** The CSP of the gateway allows no script in a page. */
function assertNoScript(html: string): void {
  if (html.includes('<script')) throw new Error('The prerendered page contains a script')
}

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
    .replace(EMPTY_ROOT, () => `${AUTH_ROOT}>${html}</div>`)
}

/** The page with its style instead of a link to it: the first paint waits for no second request. */
function withStyle(clientRoot: string, page: string): string {
  return page.replace(STYLE_LINK, (_, file: string) => {
    const style = fs.readFileSync(path.join(clientRoot, file), 'utf8')
    if (style.includes('</style')) throw new Error(`${file} would end the style element`)
    return `<style>${style}</style>`
  })
}

function withFonts(clientRoot: string, language: Language, page: string): string {
  const manifest = fs.readFileSync(path.join(clientRoot, '.vite/manifest.json'), 'utf8')
  const links = fontsOf(JSON.parse(manifest) as Manifest, language).map(fontLink)
  return page.replace('</head>', () => `${links.join('')}</head>`)
}

function writeAuthPage(clientRoot: string, language: Language, page: string): void {
  const write = (name: string, html: string) => fs.writeFileSync(path.join(clientRoot, name), html)
  write(`auth.${language}.html`, page)
  write(
    `auth.${language}.no-passkeys.html`,
    page.replace(AUTH_ROOT, () => `${AUTH_ROOT} data-passkeys="none"`),
  )
}

/** One language after the other, because the module shows one at a time. */
async function renderPages(clientRoot: string, prerender: Prerender): Promise<void> {
  const page = fs.readFileSync(path.join(clientRoot, 'index.html'), 'utf8')
  const shells: Partial<Record<Language, Record<string, string>>> = {}
  for (const language of LANGUAGES) {
    const auth = filled(page, language, await prerender.renderAuthPage(language))
    writeAuthPage(
      clientRoot,
      language,
      withFonts(clientRoot, language, withStyle(clientRoot, auth)),
    )
    const rendered = await prerender.renderShells(language)
    for (const html of Object.values(rendered)) assertNoScript(html)
    shells[language] = rendered
  }
  fs.writeFileSync(path.join(clientRoot, '.vite/shells.json'), JSON.stringify(shells))
}

/** Sign-in pages (`auth.en.html`, `auth.en.no-passkeys.html`), and the gateway's shells (`.vite/shells.json`). */
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
