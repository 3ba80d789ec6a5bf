import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { show } from '#client/testing/render.tsx'
import { serve } from '#client/testing/server.ts'
import { SwapScreen } from './swap-screen.tsx'

it('the swap screen announces the feature with a disabled button', async () => {
  const { sent } = serve({})
  show(<SwapScreen />)
  expect(screen.getByRole('heading', { name: 'Swap Feature Coming Soon' })).toBeTruthy()
  const button = screen.getByRole('button', { name: 'Get Notified' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  const note = document.getElementById(button.getAttribute('aria-describedby') ?? '')
  expect(note?.textContent).toContain('Not available yet')
  const before = document.body.innerHTML
  await userEvent.click(button)
  expect(document.body.innerHTML).toBe(before)
  expect(sent).toEqual([])
})
