import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { GENERATED } from './generated.ts'

it.each(Object.entries(GENERATED))('%s is up to date; npm run api-docs writes it', (file, text) => {
  expect(fs.readFileSync(path.join(ROOT, file), 'utf8')).toBe(text())
})
