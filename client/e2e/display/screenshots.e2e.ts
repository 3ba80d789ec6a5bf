import fs from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { sharedBrowser } from '#client/e2e/testing/shared-browser.ts'
import { testFolder } from '#scripts/testing/temp-folder'
import type { Shot } from '#trials/screenshots/pictures'
import type { State } from '#trials/screenshots/states/state'
import { takePicture } from '#trials/screenshots/take-picture'

describe('screenshots', () => {
  const journey = useJourney()
  let browser: Browser

  beforeAll(async () => {
    browser = await sharedBrowser()
  })

  /** Takes a picture of the sign-in page in that state; returns the file too. */
  async function take(more: Partial<State>) {
    const shot: Shot = {
      state: { screen: 'auth', state: 'login', path: '/auth', ...more },
      window: { width: 390, height: 844 },
      language: 'vi',
    }
    const folder = testFolder()
    const site = { url: journey.url, signIns: new Map(), folder }
    const findings = await takePicture(browser, shot, site)
    return { findings, file: path.join(folder, 'vi/390/auth-login.png') }
  }

  it('a sound screen is written in the language asked for, without a finding', async () => {
    let lang: string | null = ''
    const { findings, file } = await take({
      act: async (page) => {
        lang = await page.locator('html').getAttribute('lang')
      },
    })
    expect(findings).toEqual([])
    expect(lang).toBe('vi')
    expect(fs.statSync(file).size).toBeGreaterThan(1_000)
  })

  it('rules of axe, broken words, texts outside their panels and sideways scrolling are findings', async () => {
    const { findings } = await take({
      act: async (page) => {
        await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
          '<img src="/icon.svg"><p style="width:3ch">interruption</p><hr style="width:999px">')
          document.querySelector('main').insertAdjacentHTML('beforeend',
          '<button style="width:40px;white-space:nowrap;font-size:20px">A long label</button>')`)
      },
    })
    expect(findings.some((finding) => finding.startsWith('image-alt'))).toBe(true)
    expect(findings).toContain('broken word: interruption')
    expect(findings).toContain('outside its panel: A long label')
    expect(findings.some((finding) => finding.startsWith('scrolls sideways'))).toBe(true)
  })

  it('a state that cannot be reached is a finding', async () => {
    const { findings } = await take({
      // Without the client's code, which would take most of the time.
      path: '/status',
      act: async (page) => {
        await page.locator('#nowhere').click({ timeout: 100 })
      },
    })
    expect(findings[0]).toMatch(/^not reached: /)
  })
})
