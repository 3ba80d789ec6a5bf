import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import {
  ACCOUNT_WITHOUT_CODE,
  EMAIL_PLACEHOLDER,
  EMPTY_WALLET,
  FULL_NAME_PLACEHOLDER,
  REFERRAL_CODE_PLACEHOLDER,
  USERNAME_PLACEHOLDER,
} from '#contract/initial-data'
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
    '/mine': `<span>${USERNAME_PLACEHOLDER}</span><a aria-label="Menu of ${USERNAME_PLACEHOLDER}">Hello, ${USERNAME_PLACEHOLDER}!</a>`,
    '/wallet': 'unknown assets',
    [EMPTY_WALLET]: 'no assets',
    '/account': `<h1>${FULL_NAME_PLACEHOLDER}</h1><p>${EMAIL_PLACEHOLDER}</p><b>${REFERRAL_CODE_PLACEHOLDER}</b>`,
    [ACCOUNT_WITHOUT_CODE]: `<h1>${FULL_NAME_PLACEHOLDER}</h1><p>${EMAIL_PLACEHOLDER}</p>`,
  },
  vi: { '/mine': `Xin chào, ${USERNAME_PLACEHOLDER}!` },
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
