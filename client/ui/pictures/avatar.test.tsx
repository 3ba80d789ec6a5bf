import { fireEvent, render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { avatarPath } from '#rules/members/avatars'
import { Avatar } from './avatar.tsx'

const path = avatarPath('0'.repeat(64))

it('an uploaded picture that cannot be loaded is replaced by the letter', () => {
  const { container } = render(<Avatar name="mai" image={path} />)
  const picture = container.querySelector('img') ?? expect.fail('no picture')
  expect(picture.getAttribute('src')).toBe(path)
  fireEvent.error(picture)
  expect(container.textContent).toBe('M')
})

it('an address of another site is not loaded', () => {
  const { container } = render(<Avatar name="mai" image="https://evil.example/pixel.jpg" />)
  expect(container.querySelector('img')).toBeNull()
})
