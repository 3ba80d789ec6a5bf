import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#rules/members/languages'
import { ROOT } from '#runtime/process/root'
import {
  AFTER_USE_BYTES,
  chunkCircle,
  FIRST_LOAD_BYTES,
  firstLoadBytes,
  screenBytes,
} from '#scripts/build/first-load'

const pagesOf = (budgets: Record<string, number>) =>
  Object.entries(budgets).flatMap(([page, budget]) =>
    LANGUAGES.map((language) => [page, language, budget] as const),
  )

const clientRoot = path.join(ROOT, 'dist/client')
const file = (name: string) => fs.readFileSync(path.join(clientRoot, name), 'utf8')

describe('the budget of the first load', () => {
  it.each(pagesOf(FIRST_LOAD_BYTES))(
    'the first screen of %s in %s takes at most %i bytes of JavaScript',
    (page, language, budget) => {
      expect(firstLoadBytes(clientRoot, page, language)).toBeLessThanOrEqual(budget)
    },
  )

  it.each(pagesOf(AFTER_USE_BYTES))(
    'the prerendered page %s in %s takes at most %i bytes of JavaScript when it is used',
    (page, language, budget) => {
      expect(screenBytes(clientRoot, page, language)).toBeLessThanOrEqual(budget)
    },
  )

  it('chunks import each other in no circle', () => {
    expect(chunkCircle(JSON.parse(file('.vite/manifest.json')))).toEqual([])
  })

  it('the page preloads two fonts, in Vietnamese those with its letters too', () => {
    const fonts = (name: string) => file(name).match(/rel="preload" as="font"/g)?.length
    expect(['index.html', 'auth.en.html', 'auth.vi.html'].map(fonts)).toEqual([2, 2, 4])
  })

  it('the preloaded fonts take at most 56,000 bytes', () => {
    const fonts = file('index.html').match(/\/assets\/[\w-]+\.woff2/g) ?? []
    const bytes = fonts.map((font) => fs.statSync(path.join(clientRoot, font)).size)
    expect(bytes).toHaveLength(2)
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(56_000)
  })

  it('the sign-in page waits for no file of styles before its first paint', () => {
    const page = file('auth.en.html')
    expect(page).not.toContain('rel="stylesheet"')
    expect(page).toContain('<style>')
  })

  const styles = () => {
    const [css = ''] = fs
      .readdirSync(path.join(clientRoot, 'assets'))
      .filter((name) => /^index-.*\.css$/.test(name))
    return file(`assets/${css}`)
  }

  it('no style asks for a weight that vite.config.ts leaves out of the fonts', () => {
    const weights = [...styles().matchAll(/font-weight(?:-\w+)?:(\d+)[;}]/g)].map(([, weight]) =>
      Number(weight),
    )
    expect(weights.length).toBeGreaterThan(2)
    expect(weights.filter((weight) => weight < 400 || weight > 700)).toEqual([])
  })

  it('fonts never hide text while they load', () => {
    const faces = styles().match(/@font-face\{[^}]*\}/g) ?? []
    expect(faces.length).toBeGreaterThan(3)
    const loaded = faces.filter((face) => face.includes('url('))
    expect(loaded.filter((face) => !face.includes('font-display:swap'))).toEqual([])
    const fallbacks = faces.filter((face) => face.includes('size-adjust'))
    expect(fallbacks.map((face) => face.includes('local('))).toEqual([true, true])
  })
})
