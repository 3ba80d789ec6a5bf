import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  connection,
  identity,
  openAs,
  seeToast,
  signInByApi,
} from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'

/** Keeps every stream of the page, so that the journey can see whether the camera still runs. */
const RECORD_STREAMS = `
  window.streams = []
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  navigator.mediaDevices.getUserMedia = async (wish) => {
    const stream = await open(wish)
    window.streams.push(stream)
    return stream
  }`
const LIVE_TRACKS = `window.streams.flatMap((one) => one.getTracks())
  .filter((track) => track.readyState === 'live').length`

/** Five pictures a second: more cost CPU time and show nothing else. */
const FAKE_CAMERA = '--use-fake-device-for-media-stream=fps=5'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Take Photo' })

async function openUpload(page: Page) {
  await button(page, 'Change Profile Picture').click()
  await page.getByRole('tab', { name: 'Upload Image' }).click()
}

describe('camera', () => {
  const journey = useJourney({}, { chromium: [FAKE_CAMERA, '--use-fake-ui-for-media-stream'] })
  const cam = identity('camille')
  let page: Page

  const liveTracks = () => page.evaluate<number>(LIVE_TRACKS)

  it('a photo of the camera becomes the profile picture', async () => {
    await journey.visitor().register(cam)
    page = await openAs(journey, cam.username, '/account')
    await page.evaluate(RECORD_STREAMS)
    await openUpload(page)
    await button(page, 'Take Photo').click()
    await dialog(page).getByLabel('Live picture of the camera').waitFor()
    await expect.poll(() => button(page, 'Capture').isEnabled()).toBe(true)
    expect(await liveTracks()).toBe(1)
    await expectAccessible(page)
    await button(page, 'Capture').click()
    await page.getByAltText('Your new profile').waitFor()
    expect(await liveTracks()).toBe(0)
    await button(page, 'Retake').click()
    await expect.poll(() => button(page, 'Capture').isEnabled()).toBe(true)
    expect(await liveTracks()).toBe(1)
    await button(page, 'Capture').click()
    await button(page, 'Use Photo').click()
    await page.getByText(/^300 × \d+|^\d+ × 300/).waitFor()
    expect(await liveTracks()).toBe(0)
    await button(page, 'Save', true).click()
    await seeToast(page, 'Avatar updated')
    const { avatar } = await journey.product.db('users').where({ username: cam.username }).first()
    expect(avatar).toMatch(/^\/avatars\/[0-9a-f]{64}\.jpg$/)
  })

  it('closing the dialog stops the camera and returns the focus', async () => {
    await openUpload(page)
    await button(page, 'Take Photo').click()
    await dialog(page).getByLabel('Live picture of the camera').waitFor()
    await expect.poll(() => liveTracks()).toBe(1)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect(await liveTracks()).toBe(0)
    const focused = () => button(page, 'Take Photo').and(page.locator(':focus')).count()
    await expect.poll(focused).toBe(1)
  })

  it.each([
    ['a blocked camera', 'NotAllowedError', 'The camera is blocked'],
    ['a computer without a camera', 'NotFoundError', 'No camera found'],
  ])('%s shows what to do', async (_, error, title) => {
    await page.evaluate(`navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('', '${error}')
    }`)
    await button(page, 'Take Photo').click()
    await dialog(page).getByText(title).waitFor()
    await button(page, 'Try Again').click()
    await dialog(page).getByText(title).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  })

  it('Take Photo opens the camera app of a phone', async () => {
    const phone = await journey.open('about:blank', { hasTouch: true, isMobile: true })
    await signInByApi(journey, phone, cam.username)
    await phone.goto('/account')
    await connection(phone, 'Live').waitFor()
    await openUpload(phone)
    const chooser = phone.waitForEvent('filechooser')
    await button(phone, 'Take Photo').click()
    expect(await (await chooser).element().getAttribute('capture')).toBe('user')
  })
})
