import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  connection,
  dismissToast,
  field,
  identity,
  openAs,
  seeToast,
} from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { openSocketCount, useJourney } from '#client/e2e/testing/journey.ts'
import { type PictureFile, pictureFile } from '#client/e2e/testing/pictures.ts'
import { operate } from '#operators/ops/testing/operate'

describe('account page', () => {
  const journey = useJourney()
  const zoe = identity('zoe')
  let page: Page

  const stored = () => journey.product.db('users').where({ username: zoe.username }).first()
  const openMenu = (on: Page) => button(on, `Account menu of ${zoe.username}`).click()

  async function choose(label: string, file: PictureFile) {
    const chooser = page.waitForEvent('filechooser')
    await button(page, label).click()
    await (await chooser).setFiles(file)
  }

  it('the account page opens from the avatar menu', async () => {
    await journey.visitor().register(zoe)
    page = await openAs(journey, zoe.username, '/mine')
    await openMenu(page)
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await page.waitForURL('/account')
    await page.getByRole('heading', { name: zoe.username }).waitFor()
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Profile'])
    await expectAccessible(page)
  })

  it('a member chooses a preset avatar', async () => {
    await button(page, 'Change Profile Picture').click()
    const dialog = page.getByRole('dialog', { name: 'Change Profile Picture' })
    await expectAccessible(page)
    await button(page, 'Save', true).click()
    await seeToast(
      page,
      'Please select an avatar',
      'You need to select an avatar or upload an image from your device',
    )
    await dismissToast(page)
    await expect.poll(() => dialog.getByRole('radio').count()).toBe(9)
    await dialog.getByRole('radio').nth(3).click()
    await button(page, 'Save', true).click()
    await seeToast(page, 'Avatar updated')
    await dialog.waitFor({ state: 'detached' })
    expect((await stored()).avatar).toMatch(/^preset:/)
  })

  it('an uploaded picture is resized before it is sent', async () => {
    await button(page, 'Change Profile Picture').click()
    await page.getByRole('tab', { name: 'Upload Image' }).click()
    await expect.poll(() => button(page, 'Save', true).isDisabled()).toBe(true)
    await choose('Choose from Device', await pictureFile(page, 'me.png', 'image/png', [1200, 800]))
    await page.getByText(/^300 × 200/).waitFor()
    await button(page, 'Save', true).click()
    await seeToast(page, 'Avatar updated')
    expect((await stored()).avatar).toMatch(/^\/avatars\/[0-9a-f]{64}\.jpg$/)
  })

  it('full name and phone number are saved', async () => {
    expect(await field(page, 'Username').isEditable()).toBe(false)
    expect(await page.getByRole('textbox', { name: 'Email' }).isEditable()).toBe(false)
    await field(page, 'Full Name').fill('Zoë Ångström')
    await field(page, 'Phone Number').fill('+49 30 1234567')
    await button(page, 'Save Changes').click()
    await seeToast(page, 'Profile updated')
    await page.getByRole('heading', { name: 'Zoë Ångström' }).waitFor()
    const { fullName, phone, avatar } = await stored()
    expect([fullName, phone]).toEqual(['Zoë Ångström', '+49 30 1234567'])
    expect(avatar).toMatch(/^\/avatars\//)
  })

  it('a row opens a view by keyboard, which survives a reload and leads back to its row', async () => {
    const row = page.getByRole('link', { name: /^Security/ })
    await row.focus()
    await page.keyboard.press('Enter')
    const title = page.getByRole('heading', { level: 1, name: 'Security' })
    await expect.poll(() => title.and(page.locator(':focus')).count()).toBe(1)
    await page.getByRole('button', { name: 'Change password' }).waitFor()
    await expectAccessible(page)
    await page.reload()
    await page
      .getByRole('button', { name: 'Add a passkey' })
      .or(page.getByText('This browser cannot add passkeys here.'))
      .waitFor()
    await title.waitFor()
    await page.getByRole('link', { name: 'Back to Account' }).press('Enter')
    await expect.poll(() => row.and(page.locator(':focus')).count()).toBe(1)
    // The uploaded picture is there after a reload.
    await button(page, 'Change Profile Picture').locator('img').waitFor()
    await expectAccessible(page)
    await page.goBack()
    await title.waitFor()
    await page.goForward()
    await row.waitFor()
  })

  it('an identity document is submitted when the kyc flag is on', async () => {
    await journey.product.db('feature_flags').where({ name: 'kyc' }).update({ enabled: true })
    await page.reload()
    await page.getByRole('link', { name: /^KYC Verification/ }).click()
    await page.getByRole('status').getByText('Unverified', { exact: true }).waitFor()
    await expect.poll(() => button(page, 'Submit Verification').isDisabled()).toBe(true)
    const type = page.getByRole('combobox', { name: 'Document Type' })
    await type.selectOption('Passport')
    await choose('Choose File', await pictureFile(page, 'pass.png', 'image/png', [900, 600]))
    await page.getByText('pass.png').waitFor()
    await expectAccessible(page)
    await button(page, 'Submit Verification').click()
    await seeToast(
      page,
      'KYC submitted',
      'Your documents have been submitted and are pending review',
    )
    await page.getByRole('status').getByText('Pending', { exact: true }).waitFor()
    const { kycStatus, kycDocumentType } = await stored()
    expect([kycStatus, kycDocumentType]).toEqual(['pending', 'passport'])
  })

  it('a rejected document shows its reason, sends it by mail and can be replaced', async () => {
    const { db, config } = journey.product
    const { id } = await db('kyc_documents').orderBy('id', 'desc').first('id')
    const options = { reason: 'The picture is blurred' }
    await operate({ db, config }, 'kyc reject', [String(id)], options)
    // The push shows it on the open page, without a reload.
    const decision = page.getByRole('region', { name: 'Last decision' })
    await decision.getByText('The picture is blurred').waitFor()
    await journey.mailbox.waitFor(zoe.email, 'The picture is blurred')
    await page.getByText('deleted 30 days after the decision').waitFor()
    await expectAccessible(page)
    await button(page, 'Submit Verification').waitFor()
  })

  it('an unknown path shows the 404 page', async () => {
    const lost = await journey.openTab(page, '/nowhere')
    await lost.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
    await lost.getByText('Did you forget to add the page to the router?').waitFor()
    await expectAccessible(lost)
    await lost.close()
  })

  it('logout signs out every tab of the browser and no other device', async () => {
    const tab = await journey.openTab(page, '/wallet')
    await connection(tab, 'Live').waitFor()
    const device = await openAs(journey, zoe.username, '/mine')
    await openMenu(page)
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.waitForURL('/auth')
    await seeToast(page, 'Logged out', "You've been successfully logged out.")
    await tab.waitForURL('/auth')
    await expect.poll(() => [page, tab, device].map(openSocketCount)).toEqual([0, 0, 1])
    await connection(device, 'Live').waitFor()
  })
})
