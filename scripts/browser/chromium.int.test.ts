import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { testFolder } from '#scripts/testing/temp-folder'
import { unpackedChromium } from './chromium.ts'

it.skipIf(`${process.platform}-${process.arch}` !== 'linux-x64')(
  'a Chromium of an earlier version of its package is replaced, the current one stays',
  async () => {
    const folder = path.join(testFolder(), 'chromium')
    fs.mkdirSync(folder)
    fs.writeFileSync(path.join(folder, 'chromium'), 'the old browser')
    fs.writeFileSync(path.join(folder, '.inputs'), 'the old package')
    const program = await unpackedChromium(folder)
    const { size, ino } = fs.statSync(program)
    expect(size).toBeGreaterThan(50_000_000)
    const fonts = fs.readFileSync(path.join(folder, 'fonts/fonts.conf'), 'utf8')
    expect(fonts.match(/<dir>.*/g)).toEqual([`<dir>${folder}/fonts</dir>`])
    expect(fs.statSync(await unpackedChromium(folder)).ino).toBe(ino)
  },
)
