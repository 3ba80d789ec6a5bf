import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { changeLanguage } from '#client/language/load-texts.ts'
import { LateMemberMenu } from '#client/layout/header/header.tsx'
import { PublicLayout } from '#client/layout/public-layout.tsx'
import { AuthScreen } from '#client/screens/auth/auth-screen.tsx'
import { aUser } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'

const button = (name: string) => screen.getByRole('button', { name })

beforeEach(() => localStorage.clear())
afterEach(async () => {
  cleanup()
  vi.unstubAllGlobals()
  await changeLanguage('en')
})

it('the switch of a public page changes its texts', async () => {
  startAs(null)
  show(
    <PublicLayout>
      <AuthScreen />
    </PublicLayout>,
  )
  expect(button('English').getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(button('Tiếng Việt'))
  expect(await screen.findByRole('tab', { name: 'Đăng nhập' })).toBeTruthy()
  expect(screen.getByLabelText('Mật khẩu')).toBeTruthy()
  expect(button('Tiếng Việt').getAttribute('aria-pressed')).toBe('true')
})

it('a form error is in the language on the screen', async () => {
  startAs(null)
  show(<AuthScreen />)
  await act(() => changeLanguage('vi'))
  await userEvent.click(screen.getByRole('button', { name: 'Đăng nhập' }))
  expect(await screen.findByText('Vui lòng nhập mật khẩu')).toBeTruthy()
  await act(() => changeLanguage('en'))
  expect(await screen.findByText('Password is required')).toBeTruthy()
})

it('the avatar menu changes the language', async () => {
  const user = aUser({ language: 'en' })
  startAs(user)
  serve({ 'PATCH /api/user/profile': json({ ...user, language: 'vi' }) })
  show(
    <main>
      <LateMemberMenu user={user} />
    </main>,
  )
  await userEvent.click(button('Account menu of mai'))
  const vietnamese = await screen.findByRole('menuitemradio', { name: 'Tiếng Việt' })
  expect(vietnamese.getAttribute('aria-checked')).toBe('false')
  await userEvent.click(vietnamese)
  await waitFor(() => expect(button('Menu tài khoản của mai')).toBeTruthy())
})
