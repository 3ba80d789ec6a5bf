import { expect, it } from 'vitest'
import { installedChromium } from './chromium.ts'

it('the Chromium from npm is taken on Linux x86-64 only, and only if none is installed', () => {
  const none = () => false
  expect(installedChromium('linux-x64', none)).toBeUndefined()
  expect(() => installedChromium('linux-arm64', none)).toThrow(
    'no Chromium from npm for linux-arm64',
  )
  expect(() => installedChromium('darwin-arm64', none)).toThrow('set CHROMIUM_PATH')
  const onMac = (file: string) => file.startsWith('/Applications/')
  expect(installedChromium('darwin-arm64', onMac)).toContain('Google Chrome')
})
