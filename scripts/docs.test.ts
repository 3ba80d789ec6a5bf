import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '#scripts/root'
import { titlesIn } from '#scripts/testing/titles'

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
/** The tests that a document names, as `path › title` in the cells of its tables. */
const NAMED = /([\w./-]+\.(?:test|e2e)\.tsx?) › (.+?)(?= *\||<br>)/g

const documents = fs
  .readdirSync(path.join(ROOT, 'docs'))
  .filter((file) => file.endsWith('.md') && read(`docs/${file}`).includes(' › '))

describe('the documents', () => {
  it.each(documents)('docs/%s names tests that exist', (document) => {
    const named = [...read(`docs/${document}`).matchAll(NAMED)]
    const missing = named.filter(([, file = '', title = '']) => {
      return !fs.existsSync(path.join(ROOT, file)) || !titlesIn(read(file)).includes(title)
    })
    expect(missing.map(([test]) => test)).toEqual([])
    expect(named.length).toBeGreaterThan(10)
  })

  it.each(['README.md', 'SECURITY.md', ...documents.map((file) => `docs/${file}`)])(
    '%s links to files that exist',
    (document) => {
      const links = [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      const missing = links.filter(([, target = '']) => {
        return !fs.existsSync(path.join(ROOT, path.dirname(document), target))
      })
      expect(missing.map(([, target]) => target)).toEqual([])
    },
  )
})
