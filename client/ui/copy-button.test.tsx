import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CopyButton } from '#client/ui/copy-button.tsx'

const copied: string[] = []

function withClipboard(writeText: ((text: string) => Promise<void>) | undefined) {
  const clipboard = writeText && { writeText }
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
}

/** What an old browser copies is what is selected. */
function withCommand(works: boolean) {
  document.execCommand = (command: string) => {
    const field = document.activeElement ?? document.querySelector('textarea')
    if (works && command === 'copy') copied.push(document.querySelector('textarea')?.value ?? '')
    return works && field !== null
  }
}

async function press() {
  screen.getByRole('button').click()
  await act(() => vi.advanceTimersByTimeAsync(0))
}

const label = () => screen.getByRole('button').textContent

describe('the copy button', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    copied.length = 0
    render(<CopyButton text="TESPABC234" what="referral code" />)
  })
  afterEach(() => {
    vi.useRealTimers()
    Reflect.deleteProperty(navigator, 'clipboard')
  })

  it('copies the text and says so for 2 seconds', async () => {
    withClipboard(async (text) => void copied.push(text))
    await press()
    expect(copied).toEqual(['TESPABC234'])
    expect(label()).toBe('Copied!')
    await act(() => vi.advanceTimersByTimeAsync(1_999))
    expect(label()).toBe('Copied!')
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(label()).toBe('Copyreferral code')
  })

  it('copies by selection where the page came over plain HTTP', async () => {
    withClipboard(undefined)
    withCommand(true)
    await press()
    expect(copied).toEqual(['TESPABC234'])
    expect(label()).toBe('Copied!')
    expect(document.querySelector('textarea')).toBeNull()
  })

  it('copies by selection where the clipboard is refused', async () => {
    withClipboard(() => Promise.reject(new DOMException('no', 'NotAllowedError')))
    withCommand(true)
    await press()
    expect(copied).toEqual(['TESPABC234'])
  })

  it('does not claim to have copied what it could not', async () => {
    withClipboard(undefined)
    withCommand(false)
    await press()
    expect(label()).toBe('Not copied')
  })
})
