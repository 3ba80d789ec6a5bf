import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { GENERATED } from './generated.ts'

it.each(Object.entries(GENERATED))('%s is up to date; -u writes it', async (file, text) => {
  await expect(text()).toMatchFileSnapshot(path.join(ROOT, file))
})
