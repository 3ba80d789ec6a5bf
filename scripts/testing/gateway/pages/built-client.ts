import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { PLACEHOLDERS, SHELL_KEYS } from '#contract/initial-data'
import { LANGUAGES } from '#rules/members/languages'
import type { Visitor } from '#scripts/testing/gateway/visitor'

const PAGE =
  '<!doctype html><html lang="en"><head><title>App</title></head><body><div id="root"></div></body>'
const manifest = {
  'index.html': { file: 'assets/index-1.js', isEntry: true, css: ['assets/index-1.css'] },
  'screens/mine/mine-screen.tsx': { file: 'assets/mine-1.js' },
  'screens/auth/auth-screen.tsx': { file: 'assets/auth-1.js' },
  'language/en/mine.ts': { file: 'assets/mine-en.js' },
  'language/vi/mine.ts': { file: 'assets/mine-vi.js' },
}

const shells = {
  en: {
    '/mine': `<span>${PLACEHOLDERS.username}</span><a aria-label="Menu of ${PLACEHOLDERS.username}">Hello, ${PLACEHOLDERS.username}!</a>`,
    '/wallet': 'unknown assets',
    [SHELL_KEYS.emptyWallet]: 'no assets',
    '/account': `<h1>${PLACEHOLDERS.fullName}</h1><p>${PLACEHOLDERS.email}</p><b>${PLACEHOLDERS.referralCode}</b>`,
    [SHELL_KEYS.accountWithoutCode]: `<h1>${PLACEHOLDERS.fullName}</h1><p>${PLACEHOLDERS.email}</p>`,
  },
  vi: { '/mine': `Xin chào, ${PLACEHOLDERS.username}!` },
}

/** Faces as the build names them: one of the text, its stand-in, and those that only screens need. */
const styles = [
  'inter-latin-wght-normal',
  'inter-greek-wght-normal',
  'jetbrains-mono-latin-wght-normal',
]
  .map((name) => `@font-face{font-family:${name};src:url(/assets/${name}-1.woff2)}`)
  .concat('@font-face{font-family:Inter Fallback;src:local(Arial)}', 'body{margin:0}')

/** The folder of a small client as the build writes it; it is removed after the tests of the file. */
export function useBuiltClient(): string {
  const clientRoot = mkdtempSync(join(tmpdir(), 'tesp-pages-'))
  beforeAll(() => {
    for (const folder of ['.vite', 'assets']) mkdirSync(join(clientRoot, folder))
    writeFileSync(join(clientRoot, 'assets/index-1.css'), styles.join(''))
    writeFileSync(join(clientRoot, 'index.html'), PAGE)
    for (const language of LANGUAGES) {
      for (const variant of ['', '.no-passkeys']) {
        const page = `<!doctype html><html lang="${language}"><title>Prerendered${variant}</title>`
        writeFileSync(join(clientRoot, `auth.${language}${variant}.html`), page)
      }
    }
    writeFileSync(join(clientRoot, '.vite/manifest.json'), JSON.stringify(manifest))
    writeFileSync(join(clientRoot, '.vite/shells.json'), JSON.stringify(shells))
  })
  afterAll(() => rmSync(clientRoot, { recursive: true }))
  return clientRoot
}

/** Headers of a navigation. */
export const navigation = { Accept: 'text/html', 'Sec-Fetch-Dest': 'document' }

/** Opens a page as a browser does. */
export const open = (
  who: Visitor,
  path: string,
  headers: Record<string, string> = navigation,
): Promise<Response> => who.fetch(path, 0, { headers })
