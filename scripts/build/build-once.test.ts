import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { testFolder } from '#scripts/testing/temp-folder'
import { inputHash } from './build-once.ts'

it('the input hash depends on the names and contents of the input files only', () => {
  const root = testFolder()
  const hash = () => inputHash(root, ['client', 'one.ts', 'missing'])
  const write = (name: string, text: string) => fs.writeFileSync(path.join(root, name), text)
  fs.mkdirSync(path.join(root, 'client', 'deep'), { recursive: true })
  write('one.ts', '1')
  write('client/deep/a.ts', 'a')
  const first = hash()
  write('other.ts', 'not an input')
  expect(hash()).toBe(first)
  write('client/deep/a.ts', 'b')
  const second = hash()
  expect(second).not.toBe(first)
  fs.renameSync(path.join(root, 'client/deep/a.ts'), path.join(root, 'client/deep/b.ts'))
  expect(hash()).not.toBe(second)
})
