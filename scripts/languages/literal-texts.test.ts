import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { isProduct, sourceFiles } from '#scripts/testing/import-graph'
import { literalTexts } from './literal-texts.ts'

/** Folders whose texts are not in the catalogues yet; this list only shrinks. */
const NOT_DONE: string[] = []

const components = sourceFiles(ROOT).filter(
  (file) => file.startsWith('client/') && file.endsWith('.tsx') && isProduct(file),
)

it.each([
  ['<p>Hello {name}</p>', ['Hello']],
  ['<p>{busy ? "Busy" : `Free in $' + '{minutes} min`}</p>', ['Busy', 'Free in min']],
  ['<input placeholder="Your name" className="grow" />', ['Your name']],
  ["<img alt={empty && 'A picture'} />", ['A picture']],
  ['<p>+{reward} TESP · {count}</p>', []],
  ["<p title={t('title')}>{t('text')}</p>", []],
])('literal texts of %s are found', (source, texts) => {
  expect(literalTexts('example.tsx', `const element = ${source}`)).toEqual(texts)
})

it('no component contains a literal text', () => {
  const done = components.filter((file) => !NOT_DONE.some((folder) => file.startsWith(folder)))
  expect(done.length).toBeGreaterThan(50)
  const found = done.flatMap((file) =>
    literalTexts(file, fs.readFileSync(path.join(ROOT, file), 'utf8')).map(
      (text) => `${file}: ${text}`,
    ),
  )
  expect(found).toEqual([])
})
