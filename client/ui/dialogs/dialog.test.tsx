import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
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

/** As Chromium has it: `watching` are those that have not closed. */
class CloseWatcherStub extends EventTarget {
  static watching: CloseWatcherStub[] = []
  constructor() {
    super()
    CloseWatcherStub.watching.push(this)
  }
  destroy() {
    CloseWatcherStub.watching = CloseWatcherStub.watching.filter((one) => one !== this)
  }
}

async function pressBack() {
  const [last] = CloseWatcherStub.watching.slice(-1)
  last?.destroy()
  await act(async () => last?.dispatchEvent(new Event('close')))
}

afterEach(() => {
  CloseWatcherStub.watching = []
  vi.unstubAllGlobals()
})

it('Back closes a dialog that may close, and is then not watched any more', async () => {
  vi.stubGlobal('CloseWatcher', CloseWatcherStub)
  const mayClose = vi.fn().mockReturnValueOnce(false)
  show(
    <Dialog title="Example" trigger={<button type="button">Open</button>} mayClose={mayClose}>
      Text
    </Dialog>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  await pressBack()
  expect(mayClose).toHaveBeenCalledTimes(1)
  expect(screen.getByRole('dialog')).toBeTruthy()
  await pressBack()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(CloseWatcherStub.watching).toEqual([])
})

it('Back closes only the upper of two dialogs', async () => {
  vi.stubGlobal('CloseWatcher', CloseWatcherStub)
  await open(
    <Dialog title="Upper" trigger={<button type="button">More</button>}>
      Text
    </Dialog>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  await screen.findByRole('dialog', { name: 'Upper' })
  await pressBack()
  expect(screen.getByRole('dialog', { name: 'Example' })).toBeTruthy()
  expect(CloseWatcherStub.watching).toHaveLength(1)
})
