import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CopyButton } from './copy-button.tsx'

const copied: string[] = []

function withClipboard(writeText: ((text: string) => Promise<void>) | undefined) {
  const clipboard = writeText && { writeText }
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
}

/** Old browsers copy what is selected. */
function withCommand(works: boolean) {
  document.execCommand = (command: string) => {
    const field = document.querySelector('textarea')
    if (!works || command !== 'copy' || !field) return false
    copied.push(field.value.slice(field.selectionStart, field.selectionEnd))
    return true
  }
}

async function clickButton() {
  screen.getByRole('button').click()
  await act(() => vi.advanceTimersByTimeAsync(0))
}

const label = () => screen.getByRole('button').textContent

describe('copy button', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    copied.length = 0
    render(<CopyButton text="TESPABC234" what="referral code" />)
  })
  afterEach(() => {
    vi.useRealTimers()
    Reflect.deleteProperty(navigator, 'clipboard')
  })

  it('the copy button copies its text and reads Copied! for 2 seconds', async () => {
    withClipboard(async (text) => void copied.push(text))
    await clickButton()
    expect(copied).toEqual(['TESPABC234'])
    expect(label()).toBe('Copied!')
    await act(() => vi.advanceTimersByTimeAsync(1_999))
    expect(label()).toBe('Copied!')
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(label()).toBe('Copyreferral code')
  })

  it('the copy button copies by selection when the clipboard API is missing', async () => {
    withClipboard(undefined)
    withCommand(true)
    await clickButton()
    expect(copied).toEqual(['TESPABC234'])
    expect(label()).toBe('Copied!')
    expect(document.querySelector('textarea')).toBeNull()
  })

  it('the copy button copies by selection when the clipboard API rejects', async () => {
    withClipboard(() => Promise.reject(new DOMException('no', 'NotAllowedError')))
    withCommand(true)
    await clickButton()
    expect(copied).toEqual(['TESPABC234'])
  })

  it('a failed copy shows Not copied', async () => {
    withClipboard(undefined)
    withCommand(false)
    await clickButton()
    expect(label()).toBe('Not copied')
  })
})
