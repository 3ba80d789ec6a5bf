import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { memoryFolder } from './memory-folder.ts'

const ours = memoryFolder()

describe('memoryFolder', () => {
  it('there is none if the parent is missing', () => {
    expect(memoryFolder('/nowhere')).toBe(undefined)
  })

  it('there is none on a disk', (context) => {
    if (fs.statfsSync(os.homedir()).type === 0x01021994) context.skip('the home is in memory')
    expect(memoryFolder(os.homedir())).toBe(undefined)
  })

  it.skipIf(!ours)('a link in its place is not followed', () => {
    const parent = fs.mkdtempSync(path.join(ours ?? '', 'parent-'))
    try {
      fs.symlinkSync(os.homedir(), path.join(parent, path.basename(ours ?? '')))
      expect(memoryFolder(parent)).toBe(undefined)
    } finally {
      fs.rmSync(parent, { recursive: true })
    }
  })
})
