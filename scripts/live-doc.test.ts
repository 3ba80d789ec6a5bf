import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#scripts/root'
import { titlesIn } from '#scripts/testing/titles'

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')

/** The tests that a document names, as `path › title`. */
const named = [
  ...read('docs/live.md').matchAll(/([\w./-]+\.(?:test|e2e)\.tsx?) › (.+?)(?= \||<br>)/g),
]

it('each situation of docs/live.md names a test that exists', () => {
  const missing = named.filter(([, file = '', title = '']) => {
    return !fs.existsSync(path.join(ROOT, file)) || !titlesIn(read(file)).includes(title)
  })
  expect(missing.map(([test]) => test)).toEqual([])
  expect(named.length).toBeGreaterThan(20)
})
