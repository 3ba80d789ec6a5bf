import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { DEFAULT_LANGUAGE, LANGUAGES } from '#rules/members/languages'
import { ROOT } from '#runtime/process/root'

type Manifest = { lang: string; description: string }

/** Named by `client/language-switch/language-choice.ts`. */
function manifestOf(language: string): Manifest {
  const name = language === DEFAULT_LANGUAGE ? 'manifest' : `manifest.${language}`
  const file = path.join(ROOT, 'client/public', `${name}.webmanifest`)
  return JSON.parse(fs.readFileSync(file, 'utf8'))
}

it.each(LANGUAGES)('the web manifest in %s names its language', (language) => {
  expect(manifestOf(language).lang).toBe(language)
})

it('web manifests differ in language and description alone', () => {
  const { lang: _, description, ...common } = manifestOf(DEFAULT_LANGUAGE)
  for (const language of LANGUAGES.filter((one) => one !== DEFAULT_LANGUAGE)) {
    const { lang, description: translated, ...others } = manifestOf(language)
    expect(others).toEqual(common)
    expect(translated).not.toBe(description)
  }
})
