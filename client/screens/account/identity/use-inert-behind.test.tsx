import { render, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useInertBehind } from './kyc-form.tsx'

function Page({ open }: { open: boolean }) {
  useInertBehind(open)
  return (
    <>
      <header data-aria-hidden={open || undefined} />
      <nav data-aria-hidden={open || undefined} inert />
      <div role="listbox" tabIndex={0} />
    </>
  )
}

it('elements hidden behind an open list are inert until it closes', async () => {
  const { container, rerender } = render(<Page open={false} />)
  const inert = () => [...container.querySelectorAll('[inert]')].map(({ tagName }) => tagName)
  expect(inert()).toEqual(['NAV'])
  rerender(<Page open />)
  await waitFor(() => expect(inert()).toEqual(['HEADER', 'NAV']))
  rerender(<Page open={false} />)
  expect(inert()).toEqual(['NAV'])
})
