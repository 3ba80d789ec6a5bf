// @vitest-environment node
import { expect, it } from 'vitest'
import { NAME_MARK } from '#contract/first-screen'
import { renderAuthPage, renderShells } from './prerender.tsx'

it('the sign-in page renders without a browser and contains no script', async () => {
  const { title, html } = await renderAuthPage()
  expect(title).toBe('Sign in · TESP Network')
  expect(html).toContain('Username or email')
  expect(html).toContain('Forgot password')
  expect(html).not.toMatch(/<script/i)
}, 60_000)

it('the shells of the screens render without a browser and hold no figure of a member', async () => {
  const shells = await renderShells()
  expect(Object.keys(shells)).toEqual(['/mine', '/wallet', '/tasks', '/team', '/network', '/swap'])
  for (const html of Object.values(shells)) {
    expect(html).toContain(`Account menu of ${NAME_MARK}`)
    expect(html).toContain('aria-label="Main"')
    expect(html).not.toMatch(/<script/i)
    // Skeletons instead of amounts.
    expect(html).not.toMatch(/\d+\.\d{4}/)
  }
  expect(shells['/mine']).toContain(`Hello, ${NAME_MARK}!`)
}, 60_000)
