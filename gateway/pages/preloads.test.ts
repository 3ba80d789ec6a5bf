import { describe, expect, it } from 'vitest'
import type { Language } from '#rules/members/languages'
import { type Manifest, preloadsOf } from './preloads.ts'

const manifest: Manifest = {
  'node_modules/inter/files/inter-vietnamese-wght-normal.woff2': { file: 'assets/inter-vi.woff2' },
  'node_modules/inter/files/inter-latin-wght-normal.woff2': { file: 'assets/inter.woff2' },
  'node_modules/inter/files/inter-vietnamese-wght-italic.woff2': { file: 'assets/italic.woff2' },
  'index.html': {
    file: 'assets/index.js',
    isEntry: true,
    imports: ['_preload.js'],
    css: ['i.css'],
  },
  '_preload.js': { file: 'assets/preload.js' },
  '_react.js': { file: 'assets/react.js' },
  '_forms.js': { file: 'assets/forms.js', imports: ['_react.js'] },
  'start.tsx': { file: 'assets/start.js', imports: ['_react.js'] },
  'language/en/common-and-layout.ts': { file: 'assets/en-shared.js' },
  'language/en/auth.ts': { file: 'assets/en-auth.js' },
  'language/en/mine.ts': { file: 'assets/en-mine.js' },
  'language/vi/common-and-layout.ts': { file: 'assets/vi-shared.js' },
  'language/vi/auth.ts': { file: 'assets/vi-auth.js' },
  'language/vi/errors.ts': { file: 'assets/vi-errors.js' },
  'member-features.ts': { file: 'assets/features.js', imports: ['_react.js'] },
  'layout/signed-in-layout.tsx': { file: 'assets/layout.js', imports: ['index.html'] },
  'screens/mine/mine-screen.tsx': { file: 'assets/mine.js', css: ['assets/mine.css'] },
  'screens/auth/auth-screen.tsx': { file: 'assets/auth.js', imports: ['_forms.js'] },
  'screens/reset-password/reset-password-screen.tsx': {
    file: 'assets/reset.js',
    imports: ['_forms.js'],
  },
}

const preloads = (path: string, isMember: boolean, language: Language = 'en') =>
  preloadsOf(manifest, { path, language, isMember })
const scripts = (...page: Parameters<typeof preloads>) => preloads(...page).scripts

describe('preloads', () => {
  it.each(['/mine', '/'])('the page %s of a member names the chunks of Mine once', (path) => {
    expect(preloads(path, true)).toEqual({
      scripts: [
        '/assets/start.js',
        '/assets/react.js',
        '/assets/features.js',
        '/assets/layout.js',
        '/assets/mine.js',
        '/assets/en-shared.js',
        '/assets/en-mine.js',
      ],
      styles: ['/assets/mine.css'],
      fonts: [],
    })
  })

  it('files that the page loads anyway are not named', () => {
    const named = [...scripts('/mine', true), ...scripts('/auth', false)]
    expect(named).not.toContain('/assets/index.js')
    expect(named).not.toContain('/assets/preload.js')
  })

  it.each(['/auth', '/mine', '/'])('the page %s of a visitor names the sign-in page', (path) => {
    expect(scripts(path, false)).toEqual([
      '/assets/start.js',
      '/assets/react.js',
      '/assets/auth.js',
      '/assets/forms.js',
      '/assets/en-shared.js',
      '/assets/en-auth.js',
    ])
  })

  it('a page names the texts of its language only', () => {
    expect(scripts('/auth', false, 'vi').filter((file) => /(en|vi)-/.test(file))).toEqual([
      '/assets/vi-shared.js',
      '/assets/vi-auth.js',
      '/assets/vi-errors.js',
    ])
  })

  it('a Vietnamese page names the fonts with the letters that English does not have', () => {
    expect(preloads('/auth', false, 'vi').fonts).toEqual(['/assets/inter-vi.woff2'])
    expect(preloads('/mine', true, 'vi').fonts).toEqual(['/assets/inter-vi.woff2'])
  })

  it('the password reset is named for everybody who opens it', () => {
    expect(scripts('/reset-password', false)).toEqual([
      '/assets/start.js',
      '/assets/react.js',
      '/assets/reset.js',
      '/assets/forms.js',
      '/assets/en-shared.js',
      '/assets/en-auth.js',
    ])
  })

  it.each(['/nowhere', '/../secret', '/mine/deeper'])(
    'the unknown page %s names no screen',
    (path) => {
      expect(scripts(path, true)).toEqual([
        '/assets/start.js',
        '/assets/react.js',
        '/assets/en-shared.js',
      ])
    },
  )
})
