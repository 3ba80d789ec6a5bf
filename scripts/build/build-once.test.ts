import fs from 'node:fs'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { testFolder } from '#scripts/testing/temp-folder'
import { buildOnce, inputHash } from './build-once.ts'

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

it('a build replaces the old one, and removes what failed and killed builds left', async () => {
  const parent = testFolder()
  const folder = path.join(parent, 'client')
  const write = (fresh: string, text: string) => {
    fs.mkdirSync(fresh)
    fs.writeFileSync(path.join(fresh, 'text'), text)
  }
  const build = (source: string, text: string) =>
    buildOnce(folder, [source], async (fresh) => write(fresh, text))
  const text = () => fs.readFileSync(path.join(folder, 'text'), 'utf8')

  await build('README.md', 'old')
  write(`${folder}.new-1`, 'unfinished')
  const failing = vi.fn(async (fresh: string) => {
    write(fresh, 'half')
    throw new Error('no space')
  })
  await expect(buildOnce(folder, ['package.json'], failing)).rejects.toThrow('no space')
  expect(text()).toBe('old')
  expect(await build('package.json', 'new')).toBe(true)
  expect(text()).toBe('new')
  expect(fs.readdirSync(parent)).toEqual(['client'])
})
