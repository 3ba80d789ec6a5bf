import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { DEFAULT_LANGUAGE, LANGUAGES } from '#rules/members/languages'
import { ROOT } from '#runtime/process/root'

type Manifest = {
  lang: string
  description: string
  shortcuts: { name: string; url: string }[]
  screenshots: { src: string; sizes: string; label: string }[]
}

const publicFile = (name: string) => path.join(ROOT, 'client/public', name)

/** Named by `client/language-switch/language-choice.ts`. */
function manifestOf(language: string): Manifest {
  const name = language === DEFAULT_LANGUAGE ? 'manifest' : `manifest.${language}`
  return JSON.parse(fs.readFileSync(publicFile(`${name}.webmanifest`), 'utf8'))
}

/** The manifest with what is translated, and without it. */
function parts({ lang, description, shortcuts, screenshots, ...common }: Manifest) {
  const untranslated = {
    shortcuts: shortcuts.map(({ name: _, ...rest }) => rest),
    screenshots: screenshots.map(({ src, label: _, ...rest }) => ({
      ...rest,
      src: src.replace(`.${lang}.`, '.'),
    })),
    ...common,
  }
  const texts = [description, ...shortcuts.map(({ name }) => name)]
  return { untranslated, texts: [...texts, ...screenshots.map(({ label }) => label)] }
}

it.each(LANGUAGES)('the web manifest in %s names its language', (language) => {
  expect(manifestOf(language).lang).toBe(language)
})

it('web manifests differ in language and texts alone', () => {
  const english = parts(manifestOf(DEFAULT_LANGUAGE))
  for (const language of LANGUAGES.filter((one) => one !== DEFAULT_LANGUAGE)) {
    const { untranslated, texts } = parts(manifestOf(language))
    expect(untranslated).toEqual(english.untranslated)
    for (const [at, text] of texts.entries()) expect(text).not.toBe(english.texts[at])
  }
})

/** Width and height in the frame header of a JPEG file. */
function sizesOf(jpeg: Buffer): string {
  let at = 2
  while (![0xc0, 0xc2].includes(jpeg.readUInt8(at + 1))) at += 2 + jpeg.readUInt16BE(at + 2)
  return `${jpeg.readUInt16BE(at + 7)}x${jpeg.readUInt16BE(at + 5)}`
}

it.each(LANGUAGES)(
  'the screenshots of the manifest in %s exist, have their sizes and are small',
  (language) => {
    const { screenshots } = manifestOf(language)
    expect(screenshots).toHaveLength(3)
    for (const { src, sizes } of screenshots) {
      const picture = fs.readFileSync(publicFile(src))
      expect(sizesOf(picture)).toBe(sizes)
      expect(picture.length).toBeLessThan(60_000)
    }
  },
)

it('the picture of a shared link is small', () => {
  expect(fs.statSync(publicFile('share.png')).size).toBeLessThan(60_000)
})
