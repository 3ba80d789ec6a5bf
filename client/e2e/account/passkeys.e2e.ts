import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  connection,
  field,
  identity,
  openAccountView,
  panel,
  seeToast,
  signIn,
} from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import {
  VirtualAuthenticator,
  type VirtualPasskey,
} from '#client/e2e/testing/virtual-authenticator.ts'
import { AuthenticatorApp } from '#scripts/testing/gateway/factors/authenticator-app'
import { PASSWORD } from '#scripts/testing/gateway/visitor'

describe('passkeys and one-time codes', () => {
  const journey = useJourney()
  const ines = identity('ines')
  let page: Page
  let authenticator: VirtualAuthenticator
  let held: VirtualPasskey[]
  let app: AuthenticatorApp
  let usedCode: string
  let recoveryCode: string

  const section = () => panel(page, 'Passkeys and one-time codes')
  const dialog = () => page.getByRole('dialog')
  const closeDialog = async () => {
    await dialog().getByRole('button', { name: 'Close' }).click()
    await dialog().waitFor({ state: 'detached' })
  }
  const logOut = async () => {
    await button(page, `Account menu of ${ines.username}`).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.waitForURL('/auth')
  }
  const openSecurity = async () => {
    await openAccountView(page, ines, 'security')
    await section().waitFor()
  }

  it('a passkey is added with the password and a name', async () => {
    await journey.visitor().register(ines)
    // Passkeys belong to a domain: an IP address has none.
    const baseURL = journey.url.replace('127.0.0.1', 'localhost')
    page = await journey.open('/auth', { baseURL })
    authenticator = await VirtualAuthenticator.of(page)
    await signIn(page, ines.username)
    await connection(page, 'Live').waitFor()
    await openSecurity()
    await button(page, 'Add a passkey').click()
    await expectAccessible(page)
    await field(page, 'Password').fill('a wrong password')
    await field(page, 'Name').fill('My laptop')
    journey.allow(/403 .*passkeys\/options/)
    await button(page, 'Continue').click()
    await dialog().getByText('Password is not correct').waitFor()
    await field(page, 'Password').fill(PASSWORD)
    await button(page, 'Continue').click()
    await seeToast(page, 'Passkey added')
    await section().getByText('My laptop').waitFor()
    await section().getByText('Not used yet').waitFor()
    expect(await authenticator.passkeys()).toHaveLength(1)
    await expectAccessible(page)
  })

  it('the same device adds no second passkey', async () => {
    await button(page, 'Add a passkey').click()
    await field(page, 'Password').fill(PASSWORD)
    await button(page, 'Continue').click()
    await seeToast(
      page,
      'The passkey was not added',
      'This device already has a passkey for your account.',
    )
    await closeDialog()
  })

  it('a passkey is renamed', async () => {
    await button(page, 'Rename My laptop').click()
    await expectAccessible(page)
    await field(page, 'Name').fill('Work laptop')
    await button(page, 'Save', true).click()
    await seeToast(page, 'Passkey renamed')
    await section().getByText('Work laptop').waitFor()
  })

  it('the list of the user name field signs in with the passkey', async () => {
    await logOut()
    // The virtual authenticator chooses from the list at once.
    await seeToast(page, 'Login successful', `Welcome back, ${ines.username}!`)
    await openSecurity()
    await section().getByText('Last used').waitFor()
  })

  it('the button signs in with the passkey', async () => {
    held = await authenticator.passkeys()
    await authenticator.hold([])
    await logOut()
    await button(page, 'Log in with a passkey').waitFor()
    await expectAccessible(page)
    await authenticator.hold(held)
    await button(page, 'Log in with a passkey').click()
    await seeToast(page, 'Login successful')
    await connection(page, 'Live').waitFor()
  })

  it('a copied authenticator is refused', async () => {
    await authenticator.hold([])
    await logOut()
    journey.allow(/400 .*passkey\/login/)
    await authenticator.hold(held.map((passkey) => ({ ...passkey, signCount: 0 })))
    await button(page, 'Log in with a passkey').click()
    await seeToast(page, 'Login failed', 'This passkey could not be used. Please try again')
    await authenticator.hold([])
    // The list of the user name field may have sent the copy again: a new page drops the answer.
    await page.goto('/auth')
    await signIn(page, ines.username)
    await connection(page, 'Live').waitFor()
  })

  it('a removed passkey leaves the list', async () => {
    await openSecurity()
    await button(page, 'Remove Work laptop').click()
    await expectAccessible(page)
    await field(page, 'Password').fill(PASSWORD)
    await button(page, 'Remove', true).click()
    await seeToast(page, 'Passkey removed')
    await section().getByText('Work laptop').waitFor({ state: 'detached' })
  })

  it('an authenticator app is set up by its secret and first code', async () => {
    await button(page, 'Set up an authenticator app').click()
    await field(page, 'Password').fill(PASSWORD)
    await button(page, 'Continue').click()
    await dialog().getByRole('img', { name: 'QR code' }).waitFor()
    await expectAccessible(page)
    const secret = (await dialog().locator('code').textContent()) ?? ''
    app = new AuthenticatorApp(secret.replace(/\s/g, ''))
    journey.allow(/400 .*authenticator\/confirm/)
    await field(page, 'Code').fill('no code')
    await button(page, 'Turn on').click()
    await dialog().getByText('This code is not valid').waitFor()
    usedCode = app.code()
    await field(page, 'Code').fill(usedCode)
    await button(page, 'Turn on').click()
    await dialog().getByText('Save these recovery codes').waitFor()
    const codes = await dialog().getByRole('listitem').allTextContents()
    expect(codes).toHaveLength(10)
    recoveryCode = codes[0] ?? ''
    await expectAccessible(page)
  })

  it('Back and a reload ask before they remove recovery codes that are not saved', async () => {
    const question = dialog().getByText('You have not downloaded or copied these codes.')
    await page.goBack()
    await question.waitFor()
    const reload = page.waitForEvent('dialog')
    await page.evaluate('setTimeout(() => location.reload())')
    const asked = await reload
    expect(asked.type()).toBe('beforeunload')
    await asked.dismiss()
    await dialog().getByText(recoveryCode).waitFor()
    expect(page.url()).toMatch(/view=security$/)
    await button(page, 'I have saved them').click()
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('history.state')).toBeNull()
    await section().getByText('10 recovery codes left.').waitFor()
    await expectAccessible(page)
  })

  it('a login with the password asks for a code', async () => {
    await logOut()
    journey.allow(/401 .*api\/login/, /400 .*second-factor/)
    await signIn(page, ines.username)
    await page.getByRole('heading', { name: 'Step 2 of 2' }).waitFor()
    await expect.poll(() => field(page, 'Code').and(page.locator(':focus')).count()).toBe(1)
    await expectAccessible(page)
    await field(page, 'Code').fill(usedCode)
    await button(page, 'Login', true).click()
    await seeToast(page, 'Login failed', 'This code is not valid')
    await field(page, 'Code').fill(app.code(1))
    await button(page, 'Login', true).click()
    await seeToast(page, 'Login successful')
    await connection(page, 'Live').waitFor()
  })

  it('a passkey takes a code while one-time codes are on', async () => {
    await openSecurity()
    await button(page, 'Add a passkey').click()
    await field(page, 'Password').fill(PASSWORD)
    await field(page, 'Name').fill('Tablet')
    await field(page, 'Code').fill(usedCode)
    journey.allow(/400 .*passkeys\/options/)
    await button(page, 'Continue').click()
    await dialog().getByText('This code is not valid').waitFor()
    await expectAccessible(page)
    await journey.product.db('second_factors').update({ lastStep: 0 })
    await field(page, 'Code').fill(app.code())
    await button(page, 'Continue').click()
    await seeToast(page, 'Passkey added')
    await section().getByText('Tablet').waitFor()
    // The sign-in page would use it at once.
    await authenticator.hold([])
  })

  it('a recovery code logs in once, and the codes are turned off by another code', async () => {
    await logOut()
    await signIn(page, ines.username)
    await field(page, 'Code').fill(recoveryCode)
    await button(page, 'Login', true).click()
    await connection(page, 'Live').waitFor()
    await openSecurity()
    await section().getByText('9 recovery codes left.').waitFor()
    await button(page, 'New recovery codes').click()
    await expectAccessible(page)
    await closeDialog()
    await button(page, 'Turn off', true).click()
    await expectAccessible(page)
    await field(page, 'Password').fill(PASSWORD)
    await field(page, 'Code').fill(recoveryCode)
    journey.allow(/400 .*authenticator\/remove/)
    await dialog().getByRole('button', { name: 'Turn off one-time codes' }).click()
    await dialog().getByText('This code is not valid').waitFor()
    await journey.product.db('second_factors').update({ lastStep: 0 })
    await field(page, 'Code').fill(app.code())
    await dialog().getByRole('button', { name: 'Turn off one-time codes' }).click()
    await seeToast(page, 'One-time codes are off')
    await button(page, 'Set up an authenticator app').waitFor()
    const mails = { 'passkey was added': 2, 'codes are on': 1, 'recovery code was used': 1 }
    for (const [subject, count] of Object.entries(mails)) {
      const sent = await journey.product.db('mails').whereLike('subject', `%${subject}%`)
      expect([subject, sent.length]).toEqual([subject, count])
    }
  })
})
