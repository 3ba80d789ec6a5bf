import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { expect, it } from 'vitest'
import { show } from '#client/testing/render.tsx'
import { Dialog } from './dialog.tsx'

async function open(content: ReactNode, readFirst = false) {
  show(
    <Dialog title="Example" trigger={<button type="button">Open</button>} readFirst={readFirst}>
      {content}
    </Dialog>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  return screen.findByRole('dialog', { name: 'Example' })
}

function RemovingPage() {
  const [isThere, setThere] = useState(true)
  return (
    <main id="main" tabIndex={-1}>
      {isThere && (
        <Dialog title="Example" trigger={<button type="button">Open</button>}>
          <button type="button" onClick={() => setThere(false)}>
            Remove
          </button>
        </Dialog>
      )}
    </main>
  )
}

it('the page gets the focus if what opened a dialog has gone with it', async () => {
  show(<RemovingPage />)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})

it('a dialog focuses its first field that is shown', async () => {
  await open(
    <>
      <input hidden aria-label="Hidden" />
      <input aria-label="Field" />
    </>,
  )
  expect(document.activeElement).toBe(screen.getByLabelText('Field'))
})

it.each([
  ['without a control', <p key="text">Text</p>, false],
  ['that is read first', <input key="field" aria-label="Field" />, true],
])(
  'a dialog %s takes the focus itself, and the next tab stop is Close',
  async (_, content, readFirst) => {
    const dialog = await open(content, readFirst)
    expect(document.activeElement).toBe(dialog)
    await userEvent.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' }))
  },
)
