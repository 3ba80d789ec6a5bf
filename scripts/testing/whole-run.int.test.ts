import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { sourceFiles } from './import-graph.ts'

it('a whole run has every test file once', () => {
  const list = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly']
  const listed = execFileSync(process.execPath, list, { cwd: ROOT, encoding: 'utf8' }).trim()
  const files = sourceFiles(ROOT).filter((file) => /\.(test|e2e)\.tsx?$/.test(file))
  const found = listed.split('\n').map((line) => line.replace(/^\[\w+] /, ''))
  expect(found.sort()).toEqual(files)
})
